// Language models: text that continues a prompt, and how probable a text is.

export { type GeneratedText, LanguageModel, type LanguageModelSetup, type TextScore } from './language-model.ts';
export type { GenerateOptions } from './options.ts';
export type { Perplexity, PerplexityOptions } from './perplexity.ts';
export { type DocumentPart, TokenStream } from './token-stream.ts';
export { consecutiveWindows, type WindowBatch, windowBatch } from './windows.ts';
