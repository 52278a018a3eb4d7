// Section 3.3: position-wise feed-forward networks. F inner width.

import { gelu, multiply, relu, silu, type Tensor } from '../tensor/index.ts';
import type { TransformerConfig } from './config.ts';
import { dropout } from './dropout.ts';
import { Linear } from './linear.ts';
import type { Scope } from './scope.ts';

/** FFN(x) = max(0, x W₁ + b₁) W₂ + b₂; or GELU for the maximum; or SwiGLU: (silu(x W_g) · x W₁) W₂ (Shazeer 2020). */
export class PositionwiseFeedForward {
  private readonly inner: Linear;
  private readonly gate: Linear | undefined;
  private readonly output: Linear;

  constructor(
    private readonly scope: Scope,
    private readonly config: TransformerConfig,
  ) {
    const { dModel, dInner, activation } = config;
    this.inner = new Linear(scope.child('inner'), { from: dModel, to: dInner });
    if (activation === 'swiglu') this.gate = new Linear(scope.child('gate'), { from: dModel, to: dInner });
    this.output = new Linear(scope.child('output'), { from: dInner, to: dModel });
  }

  /** [B, T, D] → [B, T, D], each position by itself */
  apply(x: Tensor): Tensor {
    const active = this.scope.result('active', this.activate(x)); // [B, T, F]
    return this.scope.result('output', this.output.apply(dropout(active, this.config.activationDropout)));
  }

  private activate(x: Tensor): Tensor {
    const inner = this.scope.result('inner', this.inner.apply(x));
    if (this.gate !== undefined) return multiply(silu(this.scope.result('gate', this.gate.apply(x))), inner);
    return this.config.activation === 'gelu' ? gelu(inner) : relu(inner);
  }
}
