// SwiGLU (Shazeer 2020): a gate in place of the activation. Not in the paper.

import { multiply, silu, type Tensor } from '../../tensor/index.ts';
import { dropout } from '../dropout.ts';
import type { LayerConfig } from '../layer-config.ts';
import { Linear } from '../linear.ts';
import type { Scope } from '../scope.ts';
import type { FeedForward } from './feed-forward.ts';

/** FFN(x) = (silu(x W_g + b_g) · (x W₁ + b₁)) W₂ + b₂ */
export class SwiGlu implements FeedForward {
  private readonly inner: Linear;
  private readonly gate: Linear;
  private readonly output: Linear;

  constructor(
    private readonly scope: Scope,
    private readonly config: LayerConfig,
  ) {
    const { dModel, dInner } = config;
    this.inner = new Linear(scope.child('inner'), { from: dModel, to: dInner });
    this.gate = new Linear(scope.child('gate'), { from: dModel, to: dInner });
    this.output = new Linear(scope.child('output'), { from: dInner, to: dModel });
  }

  apply(x: Tensor): Tensor {
    const inner = this.scope.result('inner', this.inner.apply(x)); // [B, T, F]
    const gate = this.scope.result('gate', this.gate.apply(x)); // [B, T, F]
    const active = this.scope.result('active', multiply(silu(gate), inner)); // [B, T, F]
    return this.scope.result('output', this.output.apply(dropout(active, this.config.activationDropout)));
  }
}
