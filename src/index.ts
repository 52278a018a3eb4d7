// heed as a library, in Node.

export * as architectures from './architectures/index.ts';
export {
  type Architecture,
  type ArchitectureConfig,
  buildModel,
  registerArchitecture,
  type SequenceModel,
  transformerConfig,
} from './architectures/index.ts';
export { type HeedError, isHeedError } from './base/error.ts';
export * as data from './data/index.ts';
export * as decode from './decode/index.ts';
export {
  type GeneratedText,
  type GenerateOptions,
  LanguageModel,
  type LanguageModelSetup,
  type Perplexity,
  type PerplexityOptions,
  type TextScore,
} from './language-model/index.ts';
export * as metrics from './metrics/index.ts';
export type { StoredModel } from './model/index.ts';
export { loadModel, saveModel } from './model/node.ts';
export * as nn from './nn/index.ts';
export * as runtime from './runtime/index.ts';
export { compile } from './runtime/node/index.ts';
export * as tasks from './tasks/index.ts';
export {
  bundledModel,
  registerTask,
  type Task,
  type TaskOptions,
  type TrainHooks,
  type TrainOptions,
  type TrainResult,
  train,
} from './tasks/index.ts';
export * as tensor from './tensor/index.ts';
export { learnTokenizer, Tokenizer } from './text/index.ts';
export * as training from './train/index.ts';
export {
  arrayValues,
  type Trace,
  type TraceOptions,
  type TranslatedLine,
  type TranslateOptions,
  type Translation,
  Translator,
} from './translate/index.ts';
export { TranslatorPool } from './translate/node.ts';
