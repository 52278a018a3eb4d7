// What everything above knows of a model: the graphs of a whole sequence and of a step of decoding, and the states that
// decoding keeps between steps. Which layers it is made of is its own business.

import type { z } from 'zod';
import type { StateSpec, States } from '../nn/index.ts';
import type { Tensor } from '../tensor/index.ts';

/** The complete sizes and choices of an architecture; `kind` is its name in the registry. Each architecture adds its own keys. */
export interface ArchitectureConfig {
  readonly kind: string;
}

export interface VocabularyFacts {
  readonly size: number;
  /** Pads sequences; nothing attends to it, and it is never predicted. */
  readonly padId: number;
}

export interface StepContext {
  /** The place of the step, int32 [1]. */
  readonly at: Tensor;
  /** The places of all positions so far and of the step's own, int32 [P + W]. */
  readonly keysAt: Tensor;
  /** Which of all positions each hypothesis sees, [B, 1, W, P + W]; absent with one hypothesis, which sees all. */
  readonly mask?: Tensor | undefined;
  /** All states, as `states` describes them. */
  readonly states: States;
}

export interface Vocabularies {
  /** Absent in a language model. */
  readonly source?: VocabularyFacts;
  readonly target: VocabularyFacts;
  /** Whether both sides must be written with one tokenizer, since one matrix embeds both. */
  readonly isShared: boolean;
}

/** A model of sequences: of target tokens, beside a source if it has an encoder. B sentences, S source and T target tokens. */
export interface SequenceModel {
  readonly config: ArchitectureConfig;
  readonly vocabulary: Vocabularies;
  /** d_model, by which the paper's schedule scales the learning rate. */
  readonly width: number;
  /** Most positions of a sequence; Infinity if there is no limit. */
  readonly maxPositions: number;
  /** Decoder layers with cross-attention, whose weights are the results `decoder.layers.N.crossAttention.weights`; 0: none. */
  readonly crossAttentionLayers: number;
  /** What decoding keeps between steps. */
  readonly states: readonly StateSpec[];
  /** Source ids int32 [B, S] → the states of kind `fixed`. Absent in a language model. */
  encode?(source: Tensor): States;
  /** A whole target int32 [B, T], shifted right (section 3.1), beside the encoded source → logits [B, T, V] of each next token. */
  logits(target: Tensor, encoded: States): Tensor;
  /** The last tokens of W hypotheses of each sentence, int32 [B, W] → logits [B, W, V] of the next; `states` as Mixer says. */
  step(tokens: Tensor, context: StepContext): { logits: Tensor; states: States };
}

export interface Architecture<C extends ArchitectureConfig = ArchitectureConfig> {
  readonly kind: C['kind'];
  /** All keys of its configuration but `kind`, with defaults, so that an older config.json is complete. */
  readonly options: z.ZodObject;
  /** The configuration in the form that this version reads. @param stored by any earlier version */
  upgrade(stored: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Fills in what follows from other options. @throws HeedError for options that contradict each other */
  complete(options: Readonly<Record<string, unknown>>): C;
  /** The same model as it is used, not trained. */
  withoutDropout(config: C): C;
  build(config: C): SequenceModel;
}
