// Section 3.3: the position-wise feed-forward network.

import { gelu, relu, type Tensor } from '../../tensor/index.ts';
import { dropout } from '../dropout.ts';
import type { LayerConfig } from '../layer-config.ts';
import { Linear } from '../linear.ts';
import type { Scope } from '../scope.ts';
import type { FeedForward, FeedForwardKind } from './feed-forward.ts';

/** FFN(x) = max(0, x W₁ + b₁) W₂ + b₂, or with another activation than ReLU. */
class PositionWiseFeedForward implements FeedForward {
  private readonly inner: Linear;
  private readonly output: Linear;

  constructor(
    private readonly scope: Scope,
    private readonly config: LayerConfig,
    private readonly activation: (x: Tensor) => Tensor,
  ) {
    const { dModel, dInner } = config;
    this.inner = new Linear(scope.child('inner'), { from: dModel, to: dInner });
    this.output = new Linear(scope.child('output'), { from: dInner, to: dModel });
  }

  apply(x: Tensor): Tensor {
    const inner = this.scope.result('inner', this.inner.apply(x)); // [B, T, F]
    const active = this.scope.result('active', this.activation(inner)); // [B, T, F]
    return this.scope.result('output', this.output.apply(dropout(active, this.config.activationDropout)));
  }
}

/** As in the paper. */
export const reluFeedForward: FeedForwardKind = (scope, config) => new PositionWiseFeedForward(scope, config, relu);
/** With GELU (Hendrycks and Gimpel 2016), as in BERT and GPT. */
export const geluFeedForward: FeedForwardKind = (scope, config) => new PositionWiseFeedForward(scope, config, gelu);
