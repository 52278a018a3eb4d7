// The Node door: language models of model folders.

export { NodeLanguageModel as LanguageModel } from './node-language-model.ts';
