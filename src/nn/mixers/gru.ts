// The gated recurrent unit (Cho et al. 2014, arXiv:1406.1078): a state that each position changes as far as its gates let it.
// As PyTorch and cuDNN compute it, with two biases a gate, and the reset gate behind the product with the state:
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

/** What positions give: the state after each, and the last one, from which the next position goes on. */
export interface RecurrentResult {
  readonly output: Tensor;
  readonly state: Tensor;
}

/** What goes into r, z and n: a linear map of the input, and one of the state. */
const GATES = ['reset', 'update', 'candidate'] as const;

/**
 * Each gate has matrices of its own. From slices of one product for all gates the engine makes constants within the scan, and
 * programs with such constants can't be shared by threads: it fails to read the file that it has written.
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
   * Positions one after the other: x [B, T, D] → output [B, T, D], state [B, D]. Padding at the end of a row changes nothing
   * before it.
   *
   * @param before the state [B, D] that the first position goes on from; default: zeros
   */
  sequence(x: Tensor, before?: Tensor): RecurrentResult {
    const sequences = this.mapped(x); // of all positions at once
    const options = { states: [before ?? zerosFor(x)], sequences, axis: 1 };
    const { states, outputs } = scan(options, ([state], inputs) => {
      const next = this.next(inputs, state);
      return { states: [next], outputs: [next] };
    });
    return { output: this.scope.result('output', outputs[0]), state: states[0] };
  }

  /** One more position of W hypotheses side by side, each with a state of its own: x, state [B, W, D] → output, state [B, W, D] */
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
