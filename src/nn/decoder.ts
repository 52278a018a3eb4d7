// Section 3.1, the decoder: N layers of masked self-attention, cross-attention and feed-forward network.
// The same code reads whole targets (training), or new positions and the states of earlier ones (decoding).

import type { Tensor } from '../tensor/index.ts';
import { CrossAttention } from './attention/cross-attention.ts';
import type { FeedForward } from './feed-forward/feed-forward.ts';
import { feedForwards } from './feed-forward/registry.ts';
import type { LayerConfig } from './layer-config.ts';
import { LayerNorm } from './layer-norm.ts';
import type { MixContext, Mixer, StateSpec, States } from './mixers/mixer.ts';
import { mixers } from './mixers/registry.ts';
import type { Positions } from './positions/scheme.ts';
import type { Scope } from './scope.ts';
import { Sublayer } from './sublayer.ts';

export interface DecoderOptions {
  /** N */
  readonly layers: number;
  readonly positions: Positions;
  /** A name among `mixers`; the paper's is `attention`. */
  readonly mixer: string;
  /** Whether the layers attend to an encoder's output. Without, the stack is a language model (GPT: Radford et al. 2018). */
  readonly crossAttention: boolean;
}

/** Inputs of a decoder besides the embeddings. */
export interface DecoderContext extends MixContext {
  /** 1 for source tokens that are not padding, [B, 1, 1, S]; absent: there is no padding. */
  readonly sourceMask?: Tensor | undefined;
  /** Keys and values of the encoder's output, as `memory` returns them. */
  readonly memory: States;
}

export class DecoderLayer {
  private readonly mixer: Mixer;
  private readonly aroundMixer: Sublayer;
  private readonly source: { readonly attention: CrossAttention; readonly around: Sublayer } | undefined;
  private readonly feedForward: FeedForward;
  private readonly aroundFeedForward: Sublayer;

  constructor(scope: Scope, config: LayerConfig, options: DecoderOptions) {
    const { part, create } = mixers.get(options.mixer);
    this.mixer = create(scope.child(part), config, options.positions);
    this.aroundMixer = new Sublayer(scope, part, config);
    if (options.crossAttention) {
      const attention = new CrossAttention(scope.child('crossAttention'), config);
      this.source = { attention, around: new Sublayer(scope, 'crossAttention', config) };
    }
    this.feedForward = feedForwards.get(config.activation)(scope.child('feedForward'), config);
    this.aroundFeedForward = new Sublayer(scope, 'feedForward', config);
  }

  get states(): readonly StateSpec[] {
    return [...(this.source?.attention.states ?? []), ...this.mixer.states];
  }

  /** The encoder's output [B, S, D] → the keys and values of this layer's cross-attention. */
  memory(encoded: Tensor): States {
    return this.source?.attention.memory(encoded) ?? {};
  }

  /** x [B, T, D] → [B, T, D], and the mixer's states after x. */
  apply(x: Tensor, context: DecoderContext): { output: Tensor; after: States } {
    const { output: mixture, after } = this.mixer.mix(this.aroundMixer.preNorm(x), context);
    const mixed = this.aroundMixer.addAndNorm(x, mixture);

    const informed = this.attendToSource(mixed, context);

    const transformed = this.feedForward.apply(this.aroundFeedForward.preNorm(informed));
    return { output: this.aroundFeedForward.addAndNorm(informed, transformed), after };
  }

  private attendToSource(x: Tensor, context: DecoderContext): Tensor {
    if (this.source === undefined) return x;
    const { attention, around } = this.source;
    return around.addAndNorm(x, attention.attend(around.preNorm(x), context));
  }
}

export class Decoder {
  private readonly layers: readonly DecoderLayer[];
  private readonly norm: LayerNorm | undefined;

  constructor(
    private readonly scope: Scope,
    config: LayerConfig,
    options: DecoderOptions,
  ) {
    this.layers = Array.from(
      { length: options.layers },
      (_, i) => new DecoderLayer(scope.child(`layers.${i}`), config, options),
    );
    if (config.norm === 'pre') this.norm = new LayerNorm(scope.child('norm'), config.dModel, config.layerNormEpsilon);
  }

  /** What decoding keeps between steps, for all layers. */
  get states(): StateSpec[] {
    return this.layers.flatMap((layer) => layer.states);
  }

  /** The encoder's output [B, S, D] → keys and values for each layer's cross-attention, computed once per sentence. */
  memory(encoded: Tensor): States {
    return Object.assign({}, ...this.layers.map((layer) => layer.memory(encoded)));
  }

  /** x [B, T, D] → [B, T, D], and the states of all layers after x. */
  apply(x: Tensor, context: DecoderContext): { output: Tensor; after: States } {
    const after: States[] = [];
    const last = this.layers.reduce((below, layer) => {
      const result = layer.apply(below, context);
      after.push(result.after);
      return result.output;
    }, x);
    const output = this.scope.result('output', this.norm === undefined ? last : this.norm.apply(last));
    return { output, after: Object.assign({}, ...after) };
  }
}
