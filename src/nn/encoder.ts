// Section 3.1, the encoder: N layers of self-attention and feed-forward network.

import type { Tensor } from '../tensor/index.ts';
import { MultiHeadAttention } from './attention/multi-head.ts';
import type { FeedForward } from './feed-forward/feed-forward.ts';
import { feedForwards } from './feed-forward/registry.ts';
import type { LayerConfig } from './layer-config.ts';
import { LayerNorm } from './layer-norm.ts';
import type { Positions } from './positions/scheme.ts';
import type { Scope } from './scope.ts';
import { Sublayer } from './sublayer.ts';

export class EncoderLayer {
  private readonly selfAttention: MultiHeadAttention;
  private readonly aroundSelfAttention: Sublayer;
  private readonly feedForward: FeedForward;
  private readonly aroundFeedForward: Sublayer;

  constructor(scope: Scope, config: LayerConfig, positions: Positions) {
    this.selfAttention = new MultiHeadAttention(scope.child('selfAttention'), config, positions);
    this.aroundSelfAttention = new Sublayer(scope, 'selfAttention', config);
    this.feedForward = feedForwards.get(config.activation)(scope.child('feedForward'), config);
    this.aroundFeedForward = new Sublayer(scope, 'feedForward', config);
  }

  /** x [B, S, D], mask [B, 1, 1, S], positions [S] → [B, S, D] */
  apply(x: Tensor, mask: Tensor, at: Tensor): Tensor {
    const input = this.aroundSelfAttention.preNorm(x);
    const keysAndValues = this.selfAttention.keysAndValues(input, at);
    const attended = this.selfAttention.attend(input, keysAndValues, { mask, at });
    const mixed = this.aroundSelfAttention.addAndNorm(x, attended);

    const transformed = this.feedForward.apply(this.aroundFeedForward.preNorm(mixed));
    return this.aroundFeedForward.addAndNorm(mixed, transformed);
  }
}

export class Encoder {
  private readonly layers: readonly EncoderLayer[];
  private readonly norm: LayerNorm | undefined;

  /** @param layers N */
  constructor(
    private readonly scope: Scope,
    config: LayerConfig,
    { layers, positions }: { readonly layers: number; readonly positions: Positions },
  ) {
    this.layers = Array.from(
      { length: layers },
      (_, i) => new EncoderLayer(scope.child(`layers.${i}`), config, positions),
    );
    // With post-norm every layer ends in a norm; with pre-norm the stack needs one at its end.
    if (config.norm === 'pre') this.norm = new LayerNorm(scope.child('norm'), config.dModel, config.layerNormEpsilon);
  }

  /** x [B, S, D], mask [B, 1, 1, S], positions [S] → [B, S, D] */
  apply(x: Tensor, mask: Tensor, at: Tensor): Tensor {
    const last = this.layers.reduce((below, layer) => layer.apply(below, mask, at), x);
    return this.scope.result('output', this.norm === undefined ? last : this.norm.apply(last));
  }
}
