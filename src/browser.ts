/**
 * heed in pages and web workers: what works without Node's modules. A model's files are fetched by the caller and read by
 * `parseModel`; `compile` runs graphs with onnxruntime-web, and `runtime.compileWith` makes a `compile` of any other
 * engine.
 * @module heed/web
 */

/** The options of architectures and tasks are zod schemas; this is the zod that heed itself uses. */
export { z } from 'zod';
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
export {
  type Direction,
  fileNames,
  formatModel,
  type ModelFiles,
  parseModel,
  quantizeModel,
  type StoredModel,
  type TokenizerFiles,
} from './model/index.ts';
export * as nn from './nn/index.ts';
export * as runtime from './runtime/index.ts';
/** Compiles graphs for onnxruntime-web. */
export { compile } from './runtime/web/index.ts';
export * as tensor from './tensor/index.ts';
export * as text from './text/index.ts';
export { learnTokenizer, Tokenizer } from './text/index.ts';
export {
  type Alignment,
  arrayValues,
  Glossary,
  type GlossaryEntry,
  type PairScore,
  pharaoh,
  type ScoreOptions,
  type ScorePair,
  type Trace,
  type TraceOptions,
  type TranslatedLine,
  type TranslateOptions,
  type Translation,
  Translator,
  type TranslatorSetup,
} from './translate/index.ts';
