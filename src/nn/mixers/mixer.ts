// Mixers carry information between positions: self-attention, or an alternative such as recurrence. The paper's Table 1 compares
// them.

import type { Shape, Tensor } from '../../tensor/index.ts';
import type { LayerConfig } from '../layer-config.ts';
import type { Positions } from '../positions/scheme.ts';
import type { Scope } from '../scope.ts';

/** Tensors that decoding keeps between steps, by name. */
export type States = Readonly<Record<string, Tensor>>;

/**
 * The shape and kind of one state, float32. The shape leaves out the batch, which is the first axis:
 * - `fixed`: computed once a sentence, such as the keys of the encoded source. [B, …shape]
 * - `append`: grows by a position at each step, such as the keys of self-attention, along the axis called `length`.
 *   A step reads all positions so far and returns the new ones. [B, …shape]
 * - `replace`: of constant size, such as the state of a recurrent network; each hypothesis has its own. A step reads it and
 *   returns the next. Zeros before the first step. [B, hypotheses, …shape]
 */
export interface StateSpec {
  readonly name: string;
  readonly kind: 'fixed' | 'append' | 'replace';
  readonly shape: Shape;
  /** `keys`: multiplied with queries, […, K]; may be stored scaled or transposed for that product. */
  readonly role?: 'keys';
}

export interface MixContext {
  /** Positions of the input, int32 [T]; in decoding [1], since the T hypotheses of a sentence are at one position. */
  readonly at: Tensor;
  /** In decoding, the positions of all stored keys and of the input, int32 [P + T]. */
  readonly keysAt?: Tensor | undefined;
  /** The attention mask, [B, 1, T, T], or in decoding [B, 1, T, P + T]; absent: nothing is masked. */
  readonly mask?: Tensor | undefined;
  /** In decoding, the states after the last step. Absent: the input is a whole sequence. */
  readonly before?: States | undefined;
}

export interface Mixer {
  readonly states: readonly StateSpec[];
  /** x [B, T, D] → [B, T, D], and the states for the next step (of kind `append`: their new positions). */
  mix(x: Tensor, context: MixContext): { output: Tensor; after: States };
}

export interface MixerKind {
  /** The sub-layer in names of parameters and results, such as `selfAttention`. */
  readonly part: string;
  /** Builds the mixer of one layer, with parameters in `scope`. @param positions of the stack */
  create(scope: Scope, config: LayerConfig, positions: Positions): Mixer;
}
