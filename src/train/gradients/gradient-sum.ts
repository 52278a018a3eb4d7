// The gradients of one update: sums over its micro-batches, weighted by tokens.

import type { StepResult } from '../step.ts';

export class GradientSum {
  private sums: readonly Float32Array[] | undefined;
  loss = 0;
  negativeLogLikelihood = 0;
  targetTokens = 0;

  add({ loss, negativeLogLikelihood, gradients }: StepResult, targetTokens: number): void {
    this.loss += loss;
    this.negativeLogLikelihood += negativeLogLikelihood;
    this.targetTokens += targetTokens;
    if (this.sums === undefined) {
      this.sums = gradients;
      return;
    }
    this.sums.forEach((sum, i) => {
      const gradient = gradients[i];
      for (let k = 0; k < sum.length; k++) sum[k] += gradient[k];
    });
  }

  /** One array per parameter: the gradient of the loss summed over tokens. */
  get gradients(): readonly Float32Array[] {
    return this.sums ?? [];
  }

  /** Euclidean norm of the gradient of the mean loss, summed in float64: a pass over all parameters. */
  norm(): number {
    let squares = 0;
    for (const gradient of this.gradients) {
      for (let k = 0; k < gradient.length; k++) squares += gradient[k] * gradient[k];
    }
    return Math.sqrt(squares) / this.targetTokens;
  }
}
