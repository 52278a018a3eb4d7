/**
 * heed as a library, in Node.
 * @module heed
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
export * as data from './data/index.ts';
export * as decode from './decode/index.ts';
export type {
  GeneratedText,
  GenerateOptions,
  LanguageModelSetup,
  Perplexity,
  PerplexityOptions,
  TextScore,
} from './language-model/index.ts';
export { LanguageModel } from './language-model/node.ts';
export * as metrics from './metrics/index.ts';
export { type Direction, quantizeModel, type StoredModel } from './model/index.ts';
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
export * as text from './text/index.ts';
export { learnTokenizer, Tokenizer } from './text/index.ts';
export * as training from './train/index.ts';
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
  type TranslatorSetup,
} from './translate/index.ts';
export { type PoolSetup, Translator, TranslatorPool } from './translate/node.ts';
