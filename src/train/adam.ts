// Section 5.3: Adam (Kingma and Ba 2015) over one buffer of parameters. Its moments are the whole optimizer state.

import type { Parameter, ParameterSet } from '../runtime/index.ts';

export interface AdamOptions {
  /** Default 0.9. */
  readonly beta1: number;
  /** The paper's 0.98. */
  readonly beta2: number;
  /** The paper's 1e-9. */
  readonly epsilon: number;
}

export const paperAdam: AdamOptions = { beta1: 0.9, beta2: 0.98, epsilon: 1e-9 };

export class Adam {
  readonly firstMoment: ParameterSet;
  readonly secondMoment: ParameterSet;

  constructor(
    private readonly parameters: ParameterSet,
    private readonly options: AdamOptions = paperAdam,
  ) {
    this.firstMoment = parameters.zeros();
    this.secondMoment = parameters.zeros();
  }

  /**
   * One update: θ ← θ − lr · m̂ / (√v̂ + ε), with moments corrected for their start at zero.
   * @param step counted from 1 @param gradients one array a parameter, in order
   * @param gradientScale what every gradient is multiplied by first: 1 / tokens of the step, times any clipping
   */
  update(step: number, learningRate: number, gradients: readonly Float32Array[], gradientScale: number): void {
    const { beta1, beta2 } = this.options;
    const correction = { first: 1 - beta1 ** step, second: 1 - beta2 ** step };
    this.parameters.parameters.forEach((parameter, i) => {
      this.updateParameter(parameter, i, gradients[i], { learningRate, gradientScale, correction });
    });
  }

  private updateParameter(
    { data }: Parameter,
    index: number,
    gradient: Float32Array,
    step: { learningRate: number; gradientScale: number; correction: { first: number; second: number } },
  ): void {
    const { beta1, beta2, epsilon } = this.options;
    const first = this.firstMoment.parameters[index].data;
    const second = this.secondMoment.parameters[index].data;
    const { gradientScale } = step;
    const rate = step.learningRate / step.correction.first;
    const rootCorrection = 1 / Math.sqrt(step.correction.second);
    for (let i = 0; i < data.length; i++) {
      const g = gradient[i] * gradientScale;
      const m = beta1 * first[i] + (1 - beta1) * g;
      const v = beta2 * second[i] + (1 - beta2) * g * g;
      first[i] = m;
      second[i] = v;
      data[i] -= (rate * m) / (Math.sqrt(v) * rootCorrection + epsilon);
    }
  }
}
