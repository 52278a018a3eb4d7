// Section 3.1, the encoder: N layers of self-attention and feed-forward.

import type { Tensor } from '../tensor/index.ts';
import { MultiHeadAttention } from './attention.ts';
import type { TransformerConfig } from './config.ts';
import { PositionwiseFeedForward } from './feed-forward.ts';
import { LayerNorm } from './layer-norm.ts';
import type { Scope } from './scope.ts';
import { Sublayer } from './sublayer.ts';

export class EncoderLayer {
  private readonly selfAttention: MultiHeadAttention;
  private readonly aroundSelfAttention: Sublayer;
  private readonly feedForward: PositionwiseFeedForward;
  private readonly aroundFeedForward: Sublayer;

  constructor(scope: Scope, config: TransformerConfig) {
    this.selfAttention = new MultiHeadAttention(scope.child('selfAttention'), config);
    this.aroundSelfAttention = new Sublayer(scope, 'selfAttention', config);
    this.feedForward = new PositionwiseFeedForward(scope.child('feedForward'), config);
    this.aroundFeedForward = new Sublayer(scope, 'feedForward', config);
  }

  /** x [B, S, D], mask [B, 1, 1, S], positions [S] → [B, S, D] */
  apply(x: Tensor, mask: Tensor, positions: Tensor): Tensor {
    const seen = this.aroundSelfAttention.enter(x);
    const own = this.selfAttention.keysAndValues(seen, positions);
    const attended = this.selfAttention.attend(seen, own, { mask, positions });
    const mixed = this.aroundSelfAttention.leave(x, attended);

    const transformed = this.feedForward.apply(this.aroundFeedForward.enter(mixed));
    return this.aroundFeedForward.leave(mixed, transformed);
  }
}

export class Encoder {
  private readonly layers: readonly EncoderLayer[];
  private readonly norm: LayerNorm | undefined;

  constructor(
    private readonly scope: Scope,
    config: TransformerConfig,
  ) {
    this.layers = Array.from(
      { length: config.encoderLayers },
      (_, i) => new EncoderLayer(scope.child(`layers.${i}`), config),
    );
    // The paper's stacks end in a norm by themselves; with pre-norm the sums need one.
    if (config.norm === 'pre') this.norm = new LayerNorm(scope.child('norm'), config.dModel, config.layerNormEpsilon);
  }

  /** x [B, S, D], mask [B, 1, 1, S], positions [S] → [B, S, D] */
  apply(x: Tensor, mask: Tensor, positions: Tensor): Tensor {
    const last = this.layers.reduce((below, layer) => layer.apply(below, mask, positions), x);
    return this.scope.result('output', this.norm === undefined ? last : this.norm.apply(last));
  }
}
