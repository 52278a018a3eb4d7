// The paper, part by part.

export { joined, type KeysAndValues, MultiHeadAttention, scaledDotProductAttention } from './attention.ts';
export {
  architectureOptions,
  type TransformerConfig,
  transformerConfig,
  type Vocabulary,
  withoutDropout,
} from './config.ts';
export type { DecoderContext } from './decoder.ts';
export { ownMask } from './mask.ts';
export { batchInputs, type Encoded, Transformer } from './transformer.ts';
