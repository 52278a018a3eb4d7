// The building blocks of models: those of the paper, section by section, and alternatives to them.

export { CrossAttention } from './attention/cross-attention.ts';
export { causalMask, identityMask, paddingMask, targetMask } from './attention/mask.ts';
export { MultiHeadAttention } from './attention/multi-head.ts';
export {
  concatenateKeysAndValues,
  type KeysAndValues,
  scaledDotProductAttention,
} from './attention/scaled-dot-product.ts';
export { Decoder, type DecoderContext, type DecoderOptions } from './decoder.ts';
export { dropout } from './dropout.ts';
export { Embedding } from './embedding.ts';
export { Encoder } from './encoder.ts';
export type { FeedForward, FeedForwardKind } from './feed-forward/feed-forward.ts';
export { feedForwards } from './feed-forward/registry.ts';
export type { LayerConfig } from './layer-config.ts';
export { LayerNorm } from './layer-norm.ts';
export { completeLayerConfig, layerOptions, withoutDropout } from './layer-options.ts';
export { Linear, type LinearOptions } from './linear.ts';
export type { MixContext, Mixer, MixerKind, StateSpec, States } from './mixers/mixer.ts';
export { mixers } from './mixers/registry.ts';
export { positionSchemes } from './positions/registry.ts';
export { maxPositionsOf, type PositionScheme, type Positions } from './positions/scheme.ts';
export { Scope } from './scope.ts';
export { Sublayer } from './sublayer.ts';
