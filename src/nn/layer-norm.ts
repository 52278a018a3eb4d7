// Layer normalisation (Ba et al. 2016) with learned gain and bias.

import { layerNormalization, type Tensor } from '../tensor/index.ts';
import type { Scope } from './scope.ts';

export class LayerNorm {
  private readonly weight: Tensor;
  private readonly bias: Tensor;

  constructor(
    scope: Scope,
    width: number,
    private readonly epsilon: number,
  ) {
    this.weight = scope.parameter('weight', [width], { kind: 'constant', value: 1 });
    this.bias = scope.parameter('bias', [width], { kind: 'constant', value: 0 });
  }

  /** [… width] → [… width] */
  apply(x: Tensor): Tensor {
    return layerNormalization(x, this.weight, this.bias, this.epsilon);
  }
}
