// Section 3.1, the decoder: N layers of masked self-attention, attention to the encoder's output, and feed-forward.
// The same code reads a whole target (training) and new positions beside what is cached (decoding).

import type { Tensor } from '../tensor/index.ts';
import { type KeysAndValues, MultiHeadAttention } from './attention.ts';
import type { TransformerConfig } from './config.ts';
import { PositionwiseFeedForward } from './feed-forward.ts';
import { LayerNorm } from './layer-norm.ts';
import type { Scope } from './scope.ts';
import { Sublayer } from './sublayer.ts';

/** What the decoder may look at besides its input. */
export interface DecoderContext {
  /** int32 [T]: the places of the input within the target; or [1]: hypotheses side by side, all at one place. */
  readonly positions: Tensor;
  /** Which positions each of the input may look at: [B, 1, T, T], or in decoding [B, 1, T, P + T]; absent: all of them. */
  readonly targetMask?: Tensor | undefined;
  /** Source tokens that are real, [B, 1, 1, S]; absent: all are. */
  readonly sourceMask?: Tensor | undefined;
  /** Keys and values of the encoder's output, layer by layer. */
  readonly memory: readonly KeysAndValues[];
  /** In decoding, keys and values of P positions computed before, layer by layer; each position may look at itself then. */
  readonly past?: readonly KeysAndValues[];
}

export class DecoderLayer {
  private readonly selfAttention: MultiHeadAttention;
  private readonly aroundSelfAttention: Sublayer;
  private readonly crossAttention: MultiHeadAttention;
  private readonly aroundCrossAttention: Sublayer;
  private readonly feedForward: PositionwiseFeedForward;
  private readonly aroundFeedForward: Sublayer;

  constructor(scope: Scope, config: TransformerConfig) {
    this.selfAttention = new MultiHeadAttention(scope.child('selfAttention'), config);
    this.aroundSelfAttention = new Sublayer(scope, 'selfAttention', config);
    this.crossAttention = new MultiHeadAttention(scope.child('crossAttention'), config);
    this.aroundCrossAttention = new Sublayer(scope, 'crossAttention', config);
    this.feedForward = new PositionwiseFeedForward(scope.child('feedForward'), config);
    this.aroundFeedForward = new Sublayer(scope, 'feedForward', config);
  }

  /** The encoder's output [B, S, D] as this layer looks at it. */
  memory(encoded: Tensor): KeysAndValues {
    return this.crossAttention.keysAndValues(encoded);
  }

  /** x [B, T, D] → [B, T, D], and the keys and values of x itself, which later positions look at. */
  apply(x: Tensor, context: DecoderContext, layer: number): { output: Tensor; own: KeysAndValues } {
    const { positions, targetMask, sourceMask, memory, past } = context;
    const seen = this.aroundSelfAttention.enter(x);
    const own = this.selfAttention.keysAndValues(seen, positions);
    const mayBeBlind = past === undefined; // decoding needs no zeroing: each sees itself, and sources have their END
    const options = { past: past?.[layer], positions, mask: targetMask, mayBeBlind };
    const attended = this.selfAttention.attend(seen, own, options);
    const mixed = this.aroundSelfAttention.leave(x, attended);

    const question = this.aroundCrossAttention.enter(mixed);
    const answer = this.crossAttention.attend(question, memory[layer], { mask: sourceMask, mayBeBlind });
    const informed = this.aroundCrossAttention.leave(mixed, answer);

    const transformed = this.feedForward.apply(this.aroundFeedForward.enter(informed));
    return { output: this.aroundFeedForward.leave(informed, transformed), own };
  }
}

export class Decoder {
  private readonly layers: readonly DecoderLayer[];
  private readonly norm: LayerNorm | undefined;

  constructor(
    private readonly scope: Scope,
    config: TransformerConfig,
  ) {
    this.layers = Array.from(
      { length: config.decoderLayers },
      (_, i) => new DecoderLayer(scope.child(`layers.${i}`), config),
    );
    if (config.norm === 'pre') this.norm = new LayerNorm(scope.child('norm'), config.dModel, config.layerNormEpsilon);
  }

  /** The encoder's output [B, S, D] as each layer looks at it; computed once a sentence. */
  memory(encoded: Tensor): KeysAndValues[] {
    return this.layers.map((layer) => layer.memory(encoded));
  }

  /** x [B, T, D] → [B, T, D], and each layer's keys and values of x. */
  apply(x: Tensor, context: DecoderContext): { output: Tensor; own: KeysAndValues[] } {
    const own: KeysAndValues[] = [];
    const last = this.layers.reduce((below, layer, i) => {
      const result = layer.apply(below, context, i);
      own.push(result.own);
      return result.output;
    }, x);
    const output = this.scope.result('output', this.norm === undefined ? last : this.norm.apply(last));
    return { output, own };
  }
}
