// A loop before it is lowered, as tensors: what an iteration computes and what goes from one to the next.

import type { Tensor } from '../../tensor/index.ts';
import type { Fusions } from '../fusions/fusion.ts';

/** How an iteration follows from the one before. */
export interface LoopGraph {
  /** Loop-carried inputs by name: what each is in the next iteration. Other inputs stay what the run is fed. */
  readonly carried: Readonly<Record<string, Tensor>>;
  /** Loop-carried inputs by name: what each is in the first iteration. Default: what the run is fed. */
  readonly initial?: Readonly<Record<string, Tensor>>;
  /** One number: another iteration follows unless it is 0. */
  readonly condition: Tensor;
  /** Computed after the last iteration, of loop-carried inputs as that left them. Default: nothing. */
  readonly results?: Readonly<Record<string, Tensor>>;
}

export interface LoopBody extends Required<LoopGraph> {
  /** Outputs of each iteration, which the loop stacks. */
  readonly outputs: Readonly<Record<string, Tensor>>;
  /** Tensors of the loop that are computed by something else than their own operators. */
  readonly fusions: Fusions;
}
