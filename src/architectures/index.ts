// Architectures: whole models, put together from the parts in nn/. Everything above knows a model as a SequenceModel.

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
