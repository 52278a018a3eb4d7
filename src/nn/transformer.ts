// The whole model, section 3: the only file that knows how its parts are wired.

import { input, range, type Tensor } from '../tensor/index.ts';
import type { KeysAndValues } from './attention.ts';
import type { TransformerConfig } from './config.ts';
import { Decoder, type DecoderContext } from './decoder.ts';
import { dropout } from './dropout.ts';
import { Embedding } from './embedding.ts';
import { Encoder } from './encoder.ts';
import { paddingMask, targetMask } from './mask.ts';
import { PositionalEncoding } from './positions.ts';
import { Scope } from './scope.ts';

/** What the encoder made of a batch of source sentences. */
export interface Encoded {
  /** [B, S, D] */
  readonly states: Tensor;
  /** [B, 1, 1, S] */
  readonly mask: Tensor;
}

export class Transformer {
  private readonly sourceEmbedding: Embedding;
  private readonly targetEmbedding: Embedding;
  private readonly output: Embedding;
  private readonly sourcePositions: PositionalEncoding;
  private readonly targetPositions: PositionalEncoding;
  private readonly encoder: Encoder;
  private readonly decoder: Decoder;

  private readonly scope = new Scope();

  constructor(readonly config: TransformerConfig) {
    const { scope } = this;
    const { embeddings, sourceVocabularySize, targetVocabularySize, dModel } = config;
    const embedding = (name: string, size: number) => new Embedding(scope.child(name), size, dModel);
    // Tied: one matrix is source embedding, target embedding and pre-softmax map (section 3.4).
    this.sourceEmbedding = embedding(embeddings === 'tied' ? 'embedding' : 'sourceEmbedding', sourceVocabularySize);
    this.targetEmbedding =
      embeddings === 'tied' ? this.sourceEmbedding : embedding('targetEmbedding', targetVocabularySize);
    this.output = embeddings === 'separate' ? embedding('output', targetVocabularySize) : this.targetEmbedding;
    this.sourcePositions = new PositionalEncoding(scope.child('encoder.positions'), config);
    this.targetPositions = new PositionalEncoding(scope.child('decoder.positions'), config);
    this.encoder = new Encoder(scope.child('encoder'), config);
    this.decoder = new Decoder(scope.child('decoder'), config);
  }

  /** Source ids [B, S] → [B, S, D] */
  encode(source: Tensor): Encoded {
    const positions = range(source, 1); // [S]
    const mask = paddingMask(source, this.config.sourcePadId); // [B, 1, 1, S]
    const scaled = this.sourceEmbedding.lookUp(source, this.scope.child('encoder')); // [B, S, D]
    const embedded = this.scope.result('encoder.input', this.sourcePositions.apply(scaled, positions));
    const states = this.encoder.apply(dropout(embedded, this.config.dropout), mask, positions);
    return { states, mask };
  }

  /** Keys and values of the encoder's output for each decoder layer. */
  memory(encoded: Encoded): KeysAndValues[] {
    return this.decoder.memory(encoded.states);
  }

  /**
   * Target ids [B, T] (shifted right, section 3.1) beside the encoded source → logits [B, T, V] of each next token.
   * @param memory of the encoded source, if it is at hand
   */
  decode(target: Tensor, encoded: Encoded, memory: readonly KeysAndValues[] = this.memory(encoded)): Tensor {
    const context: DecoderContext = {
      positions: range(target, 1),
      targetMask: targetMask(target, this.config.targetPadId),
      sourceMask: encoded.mask,
      memory,
    };
    return this.continue(target, context).logits;
  }

  /** Target ids [B, T] in any context, such as new positions beside cached ones. */
  continue(target: Tensor, context: DecoderContext): { logits: Tensor; own: KeysAndValues[] } {
    const scaled = this.targetEmbedding.lookUp(target, this.scope.child('decoder')); // [B, T, D]
    const embedded = this.scope.result('decoder.input', this.targetPositions.apply(scaled, context.positions));
    const { output, own } = this.decoder.apply(dropout(embedded, this.config.dropout), context);
    return { logits: this.scope.result('logits', this.output.project(output)), own };
  }

  /** The forward pass of training: logits [B, T, V] */
  apply(source: Tensor, target: Tensor): Tensor {
    return this.decode(target, this.encode(source));
  }
}

/** Inputs of a batch: source [batch, source] and target [batch, target], int32. */
export function batchInputs(): { source: Tensor; target: Tensor } {
  return {
    source: input('source', 'int32', ['batch', 'source']),
    target: input('target', 'int32', ['batch', 'target']),
  };
}
