// The paper's Transformer (section 3), built from the parts in nn/.

import {
  Decoder,
  dropout,
  Embedding,
  Encoder,
  maxPositionsOf,
  type Positions,
  paddingMask,
  positionSchemes,
  Scope,
  type StateSpec,
  type States,
  targetMask,
  withoutDropout,
} from '../nn/index.ts';
import { range, type Tensor } from '../tensor/index.ts';
import type { Architecture, SequenceModel, StepContext } from './architecture.ts';
import { completeTransformerConfig, encoderDecoderOptions, type TransformerConfig } from './encoder-decoder-options.ts';

/** The state that masks the padding of the source. */
const SOURCE_MASK: StateSpec = { name: 'source.mask', kind: 'fixed', shape: [1, 1, 'source'] };

export class Transformer implements SequenceModel {
  private readonly scope = new Scope();
  private readonly sourceEmbedding: Embedding;
  private readonly targetEmbedding: Embedding;
  private readonly output: Embedding;
  private readonly sourcePositions: Positions;
  private readonly targetPositions: Positions;
  private readonly encoder: Encoder;
  private readonly decoder: Decoder;

  constructor(readonly config: TransformerConfig) {
    const { scope } = this;
    const { embeddings, sourceVocabularySize, targetVocabularySize, dModel, positions } = config;
    const embedding = (name: string, size: number) => new Embedding(scope.child(name), size, dModel);
    // Tied: one matrix is source embedding, target embedding and pre-softmax map (section 3.4).
    this.sourceEmbedding = embedding(embeddings === 'tied' ? 'embedding' : 'sourceEmbedding', sourceVocabularySize);
    this.targetEmbedding =
      embeddings === 'tied' ? this.sourceEmbedding : embedding('targetEmbedding', targetVocabularySize);
    this.output = embeddings === 'separate' ? embedding('output', targetVocabularySize) : this.targetEmbedding;
    const scheme = positionSchemes.get(positions);
    this.sourcePositions = scheme.create(scope.child('encoder.positions'), config);
    this.targetPositions = scheme.create(scope.child('decoder.positions'), config);
    this.encoder = new Encoder(scope.child('encoder'), config, {
      layers: config.encoderLayers,
      positions: this.sourcePositions,
    });
    this.decoder = new Decoder(scope.child('decoder'), config, {
      layers: config.decoderLayers,
      positions: this.targetPositions,
      mixer: config.decoderMixer,
      crossAttention: true,
    });
  }

  get vocabulary() {
    const { embeddings, sourceVocabularySize, sourcePadId, targetVocabularySize, targetPadId } = this.config;
    return {
      source: { size: sourceVocabularySize, padId: sourcePadId },
      target: { size: targetVocabularySize, padId: targetPadId },
      isShared: embeddings === 'tied',
    };
  }

  get width(): number {
    return this.config.dModel;
  }

  get maxPositions(): number {
    return maxPositionsOf(positionSchemes.get(this.config.positions), this.config);
  }

  get crossAttentionLayers(): number {
    return this.config.decoderLayers;
  }

  get states(): readonly StateSpec[] {
    return [SOURCE_MASK, ...this.decoder.states];
  }

  /** Source ids [B, S] → the source mask, and keys and values of the encoder's output for each decoder layer. */
  encode(source: Tensor): States {
    const at = range(source, 1); // [S]
    const mask = paddingMask(source, this.config.sourcePadId); // [B, 1, 1, S]
    const embedded = this.embed(source, { stack: 'encoder', at }); // [B, S, D]
    return { [SOURCE_MASK.name]: mask, ...this.decoder.memory(this.encoder.apply(embedded, mask, at)) };
  }

  logits(target: Tensor, encoded: States): Tensor {
    const at = range(target, 1); // [T]
    const mask = targetMask(target, this.config.targetPadId); // [B, 1, T, T]
    return this.decode(target, { at, mask, encoded }).logits;
  }

  step(tokens: Tensor, { at, keysAt, mask, states }: StepContext): { logits: Tensor; states: States } {
    return this.decode(tokens, { at, keysAt, mask, encoded: states, before: states });
  }

  /** Target ids [B, T] at positions [T] and the encoded source, and in decoding the states before them → logits [B, T, V] */
  private decode(
    target: Tensor,
    { encoded, ...context }: Pick<StepContext, 'at' | 'mask'> & { keysAt?: Tensor; encoded: States; before?: States },
  ): { logits: Tensor; states: States } {
    const embedded = this.embed(target, { stack: 'decoder', at: context.at }); // [B, T, D]
    const source = { memory: encoded, sourceMask: encoded[SOURCE_MASK.name] };
    const { output, after } = this.decoder.apply(embedded, { ...context, ...source });
    return { logits: this.scope.result('logits', this.output.project(output)), states: after };
  }

  /** Embeddings times √D, plus positions, with dropout (sections 3.4, 3.5 and 5.4): ids [B, T] → [B, T, D] */
  private embed(ids: Tensor, { stack, at }: { stack: 'encoder' | 'decoder'; at: Tensor }): Tensor {
    const [embedding, positions] =
      stack === 'encoder' ? [this.sourceEmbedding, this.sourcePositions] : [this.targetEmbedding, this.targetPositions];
    const scaled = embedding.lookUp(ids, this.scope.child(stack));
    const embedded = this.scope.result(`${stack}.input`, positions.embed?.(scaled, at) ?? scaled);
    return dropout(embedded, this.config.dropout);
  }
}

export const encoderDecoder: Architecture<TransformerConfig> = {
  kind: 'encoder-decoder',
  options: encoderDecoderOptions,
  upgrade: (stored) => stored,
  complete: (options) => completeTransformerConfig(encoderDecoderOptions.parse(options)),
  withoutDropout,
  build: (config) => new Transformer(config),
};
