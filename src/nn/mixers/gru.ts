// The gated recurrent unit (Cho et al. 2014, arXiv:1406.1078), in the variant of PyTorch and cuDNN: two biases per gate, and the
// reset gate applied after the product with the state:
//   r = σ(x W_r + b_r + h U_r + c_r), z = σ(x W_z + b_z + h U_z + c_z)
//   n = tanh(x W_n + b_n + r ⊙ (h U_n + c_n)), h' = (1 − z) ⊙ n + z ⊙ h

import { HeedError } from '../../base/error.ts';
import {
  add,
  constant,
  dimension,
  multiply,
  scan,
  sigmoid,
  stretchTo,
  subtract,
  sum,
  type Tensor,
  tanh,
} from '../../tensor/index.ts';
import { Linear } from '../linear.ts';
import type { Scope } from '../scope.ts';

export interface GatedRecurrentUnitOptions {
  /** Width D of the input, of the state and of the output. */
  readonly width: number;
}

/** The state after each position, and the last one, from which the next position continues. */
export interface RecurrentResult {
  readonly output: Tensor;
  readonly state: Tensor;
}

/** Linear maps of the input and of the state, for r, z or n. */
const GATES = ['reset', 'update', 'candidate'] as const;

/**
 * Each gate has its own matrices. With one product for all gates, onnxruntime folds its slices into constants within the scan,
 * and then fails to load the optimised model that threads share.
 */
export class GatedRecurrentUnit {
  private readonly ofInput: readonly Linear[];
  private readonly ofState: readonly Linear[];

  constructor(
    private readonly scope: Scope,
    private readonly options: GatedRecurrentUnitOptions,
  ) {
    const [from, to] = [options.width, options.width];
    this.ofInput = GATES.map((gate) => new Linear(scope.child(`${gate}.input`), { from, to }));
    this.ofState = GATES.map((gate) => new Linear(scope.child(`${gate}.state`), { from, to }));
  }

  /**
   * Reads positions one after the other: x [B, T, D] → output [B, T, D], state [B, D]. Padding at the end of a row does not affect
   * the positions before it.
   *
   * @param before the state [B, D] that before the first position; default: zeros
   */
  sequence(x: Tensor, before?: Tensor): RecurrentResult {
    const sequences = this.mapped(x); // for all positions at once
    const options = { states: [before ?? zerosFor(x)], sequences, axis: 1 };
    const { states, outputs } = scan(options, ([state], inputs) => {
      const next = this.next(inputs, state);
      return { states: [next], outputs: [next] };
    });
    return { output: this.scope.result('output', outputs[0]), state: states[0] };
  }

  /** Reads one more position of W hypotheses, each with its own state: x, state [B, W, D] → output, state [B, W, D] */
  step(x: Tensor, state: Tensor): RecurrentResult {
    const next = this.next(this.mapped(x), state);
    return { output: this.scope.result('output', next), state: next };
  }

  /** x [… D] → x W + b of each gate, [… D] */
  private mapped(x: Tensor): Tensor[] {
    const { width } = this.options;
    if (dimension(x, -1) !== width) {
      throw new HeedError('gru', `the input must be as wide as the state, got ${dimension(x, -1)} and ${width}.`);
    }
    return this.ofInput.map((linear) => linear.apply(x));
  }

  /** The state after a position, [… D] */
  private next([r, z, n]: readonly Tensor[], state: Tensor): Tensor {
    const [ofReset, ofUpdate, ofCandidate] = this.ofState.map((linear) => linear.apply(state)); // h U + c
    const [reset, update] = [sigmoid(add(r, ofReset)), sigmoid(add(z, ofUpdate))];
    const candidate = tanh(add(n, multiply(reset, ofCandidate)));
    return add(candidate, multiply(update, subtract(state, candidate)));
  }
}

/** x [B, T, D] → [B, D]; only the shape of the sum is used. */
function zerosFor(x: Tensor): Tensor {
  return stretchTo(constant([], [0]), sum(x, { axes: [1] }));
}
