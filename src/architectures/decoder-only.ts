// A language model of the paper's layers without an encoder (GPT: Radford et al. 2018): the decoder without cross-attention.

import { z } from 'zod';
import {
  completeLayerConfig,
  Decoder,
  dropout,
  Embedding,
  type LayerConfig,
  layerOptions,
  maxPositionsOf,
  mixers,
  type Positions,
  positionSchemes,
  Scope,
  type StateSpec,
  type States,
  targetMask,
  withoutDropout,
} from '../nn/index.ts';
import { range, type Tensor } from '../tensor/index.ts';
import type { Architecture, SequenceModel, StepContext } from './architecture.ts';

const count = () => z.int().positive();

/** The options of a recipe; --help and the docs print their descriptions. */
export const languageModelOptions = z.strictObject({
  ...layerOptions.shape,
  layers: count().default(6).describe('Layers (N).'),
  mixer: mixers.option().default('attention').describe('Mixer of the layers: attention (the paper) or gru.'),
  tieEmbeddings: z.boolean().default(true).describe('One matrix for the embedding and the pre-softmax map.'),
});

const decoderOnlyOptions = z.strictObject({
  ...languageModelOptions.shape,
  vocabularySize: count(),
  padId: z.int().min(0).default(0),
});

export interface DecoderOnlyConfig
  extends LayerConfig,
    Readonly<Omit<z.output<typeof decoderOnlyOptions>, keyof LayerConfig>> {
  readonly kind: 'decoder-only';
}

class LanguageModelNetwork implements SequenceModel {
  private readonly scope = new Scope();
  private readonly embedding: Embedding;
  private readonly output: Embedding;
  private readonly positions: Positions;
  private readonly decoder: Decoder;

  constructor(readonly config: DecoderOnlyConfig) {
    const { scope } = this;
    const { vocabularySize, dModel, layers, mixer, tieEmbeddings, positions } = config;
    this.embedding = new Embedding(scope.child('embedding'), vocabularySize, dModel);
    this.output = tieEmbeddings ? this.embedding : new Embedding(scope.child('output'), vocabularySize, dModel);
    this.positions = positionSchemes.get(positions).create(scope.child('decoder.positions'), config);
    const options = { layers, positions: this.positions, mixer, crossAttention: false };
    this.decoder = new Decoder(scope.child('decoder'), config, options);
  }

  get vocabulary() {
    return { target: { size: this.config.vocabularySize, padId: this.config.padId }, isShared: true };
  }

  get width(): number {
    return this.config.dModel;
  }

  get maxPositions(): number {
    return maxPositionsOf(positionSchemes.get(this.config.positions), this.config);
  }

  readonly crossAttentionLayers = 0;

  get states(): readonly StateSpec[] {
    return this.decoder.states;
  }

  logits(target: Tensor): Tensor {
    return this.decode(target, { at: range(target, 1), mask: targetMask(target, this.config.padId) }).logits;
  }

  step(tokens: Tensor, { states, ...context }: StepContext): { logits: Tensor; states: States } {
    return this.decode(tokens, { ...context, before: states });
  }

  /** Ids [B, T] at positions [T], and in decoding the states before them → logits [B, T, V] */
  private decode(
    target: Tensor,
    context: Pick<StepContext, 'at' | 'mask'> & { keysAt?: Tensor; before?: States },
  ): { logits: Tensor; states: States } {
    const { scope, positions, config } = this;
    const scaled = this.embedding.lookUp(target, scope.child('decoder')); // [B, T, D]
    const embedded = scope.result('decoder.input', positions.embed?.(scaled, context.at) ?? scaled);
    const { output, after } = this.decoder.apply(dropout(embedded, config.dropout), { ...context, memory: {} });
    return { logits: scope.result('logits', this.output.project(output)), states: after };
  }
}

export const decoderOnly: Architecture<DecoderOnlyConfig> = {
  kind: 'decoder-only',
  options: decoderOnlyOptions,
  upgrade: (stored) => stored,
  complete: (options) => ({ kind: 'decoder-only', ...completeLayerConfig(decoderOnlyOptions.parse(options)) }),
  withoutDropout,
  build: (config) => new LanguageModelNetwork(config),
};
