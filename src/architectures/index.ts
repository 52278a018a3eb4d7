// Architectures: whole models, built from the parts in nn/. All other code uses them as SequenceModel.

export type {
  Architecture,
  ArchitectureConfig,
  SequenceModel,
  StepContext,
  Vocabularies,
  VocabularyFacts,
} from './architecture.ts';
export { type DecoderOnlyConfig, languageModelOptions } from './decoder-only.ts';
export { Transformer } from './encoder-decoder.ts';
export {
  type TransformerConfig,
  transformerConfig,
  transformerOptions,
  type Vocabulary,
} from './encoder-decoder-options.ts';
export {
  architectures,
  type BuildOptions,
  batchInputs,
  batchLogits,
  buildModel,
  registerArchitecture,
} from './registry.ts';
