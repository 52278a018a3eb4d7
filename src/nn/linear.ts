// x W + b: the linear maps of attention and feed-forward networks.

import { add, matmul, type Tensor } from '../tensor/index.ts';
import type { Scope } from './scope.ts';

export interface LinearOptions {
  readonly from: number;
  readonly to: number;
  /** Default true. */
  readonly bias?: boolean;
}

export class Linear {
  private readonly weight: Tensor;
  private readonly bias: Tensor | undefined;

  constructor(scope: Scope, { from, to, bias = true }: LinearOptions) {
    // Glorot and Bengio 2010: keeps the variance of activations and gradients about constant through the layer.
    this.weight = scope.parameter('weight', [from, to], { kind: 'uniform', limit: Math.sqrt(6 / (from + to)) });
    this.bias = bias ? scope.parameter('bias', [to], { kind: 'constant', value: 0 }) : undefined;
  }

  /** [… from] → [… to] */
  apply(x: Tensor): Tensor {
    const product = matmul(x, this.weight); // [… to]
    return this.bias === undefined ? product : add(product, this.bias);
  }
}
