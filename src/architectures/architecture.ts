// The interface of models: the graphs of a whole sequence and of a decoding step, and the states that decoding keeps between
// steps. Callers do not depend on the layers inside.

import type { z } from 'zod';
import type { StateSpec, States } from '../nn/index.ts';
import type { Tensor } from '../tensor/index.ts';

/** The complete configuration of an architecture; `kind` is its name in the registry. Each architecture adds its own keys. */
export interface ArchitectureConfig {
  readonly kind: string;
}

export interface VocabularyFacts {
  readonly size: number;
  /** The padding token. Masked in attention, and never predicted. */
  readonly padId: number;
}

export interface StepContext {
  /** The position of the step, int32 [1]. */
  readonly at: Tensor;
  /** The positions of all stored keys and of the step's W, int32 [P + W]. */
  readonly keysAt: Tensor;
  /** The attention mask of each hypothesis, [B, 1, W, P + W]; absent with one hypothesis, which sees all positions. */
  readonly mask?: Tensor | undefined;
  /** All states, as `SequenceModel.states` describes them. */
  readonly states: States;
}

export interface Vocabularies {
  /** Absent in a language model. */
  readonly source?: VocabularyFacts;
  readonly target: VocabularyFacts;
  /** Whether both sides must be written with one tokenizer, since one matrix embeds both. */
  readonly isShared: boolean;
}

/** A model of target sequences, given a source if it has an encoder. B sentences, S source and T target tokens. */
export interface SequenceModel {
  readonly config: ArchitectureConfig;
  readonly vocabulary: Vocabularies;
  /** d_model, by which the paper's schedule scales the learning rate. */
  readonly width: number;
  /** The largest length of a sequence; Infinity if there is no limit. */
  readonly maxPositions: number;
  /** Decoder layers with cross-attention, whose weights are the results `decoder.layers.N.crossAttention.weights`; 0: none. */
  readonly crossAttentionLayers: number;
  /** What decoding keeps between steps. */
  readonly states: readonly StateSpec[];
  /** Source ids int32 [B, S] → the states of kind `fixed`. Absent in a language model. */
  encode?(source: Tensor): States;
  /** A whole target int32 [B, T], shifted right (section 3.1), and the encoded source → logits [B, T, V] of each next token. */
  logits(target: Tensor, encoded: States): Tensor;
  /** The last tokens of W hypotheses of each sentence, int32 [B, W] → logits [B, W, V] of the next; `states` as in Mixer. */
  step(tokens: Tensor, context: StepContext): { logits: Tensor; states: States };
}

export interface Architecture<C extends ArchitectureConfig = ArchitectureConfig> {
  readonly kind: C['kind'];
  /** All keys of its configuration except `kind`, with defaults for keys that an older config.json lacks. */
  readonly options: z.ZodObject;
  /** Converts a stored configuration to the current form. @param stored by any earlier version */
  upgrade(stored: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Fills in values that depend on other options. @throws HeedError for options that contradict each other */
  complete(options: Readonly<Record<string, unknown>>): C;
  /** The configuration for inference. */
  withoutDropout(config: C): C;
  build(config: C): SequenceModel;
}
