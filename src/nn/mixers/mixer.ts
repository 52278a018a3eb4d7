// What carries information between positions: self-attention, or what it replaced and what followed it. The paper's Table 1
// compares exactly these.

import type { Shape, Tensor } from '../../tensor/index.ts';
import type { LayerConfig } from '../layer-config.ts';
import type { Positions } from '../positions/scheme.ts';
import type { Scope } from '../scope.ts';

/** Tensors that a model keeps between the steps of decoding, by name. */
export type States = Readonly<Record<string, Tensor>>;

/**
 * How one of them behaves, float32. Shapes leave out the batch, which is the first axis:
 * - `fixed`: computed once a sentence, such as the keys of the encoded source. [B, …shape]
 * - `append`: a position longer after each step, such as the keys of self-attention; the axis that grows is called `length`.
 *   A step reads all positions so far and gives those that are new. [B, …shape]
 * - `replace`: of constant size, such as the state of a recurrent network; each hypothesis has its own. A step reads it and gives
 *   the next. Zeros before the first step. [B, hypotheses, …shape]
 */
export interface StateSpec {
  readonly name: string;
  readonly kind: 'fixed' | 'append' | 'replace';
  readonly shape: Shape;
  /** `keys`: it is multiplied with queries, […, K]; an engine may store it as suits that product. */
  readonly role?: 'keys';
}

export interface MixContext {
  /** int32 [T]: the places of the input; or [1] in decoding: hypotheses of a sentence side by side, all at one place. */
  readonly at: Tensor;
  /** In decoding, the places of all positions so far and of the input itself, int32 [P + T]. */
  readonly keysAt?: Tensor | undefined;
  /** Which positions each of the input may look at, [B, 1, T, T], or in decoding [B, 1, T, P + T]; absent: all of them. */
  readonly mask?: Tensor | undefined;
  /** In decoding, the states after the last step. Absent: the input is a whole sequence, from its start. */
  readonly before?: States | undefined;
}

export interface Mixer {
  readonly states: readonly StateSpec[];
  /** x [B, T, D] → [B, T, D], and the states that the next step reads (`append`: their new positions). */
  mix(x: Tensor, context: MixContext): { output: Tensor; after: States };
}

export interface MixerKind {
  /** What the sub-layer is called in names of parameters and results, such as `selfAttention`. */
  readonly part: string;
  /** The mixer of one layer, whose parameters are named by `scope`. @param positions of the stack */
  create(scope: Scope, config: LayerConfig, positions: Positions): Mixer;
}
