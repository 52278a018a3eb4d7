// Section 5.3: Adam's rule (Kingma and Ba 2015), entry by entry. It stands apart since the thread that helps Adam has it too.

export interface AdamOptions {
  /** Default 0.9. */
  readonly beta1: number;
  /** The paper's 0.98. */
  readonly beta2: number;
  /** The paper's 1e-9. */
  readonly epsilon: number;
}

export const paperAdam: AdamOptions = { beta1: 0.9, beta2: 0.98, epsilon: 1e-9 };

/** The numbers of one update. */
export interface AdamStep extends AdamOptions {
  /** What gradients are multiplied by first. */
  readonly gradientScale: number;
  /** The learning rate, with the first moment's correction for its start at zero. */
  readonly rate: number;
  /** What the root of the second moment is multiplied by: its correction. */
  readonly rootCorrection: number;
}

/** @param step counted from 1 */
export function adamStep(
  step: number,
  { learningRate, gradientScale }: { learningRate: number; gradientScale: number },
  options: AdamOptions,
): AdamStep {
  return {
    ...options,
    gradientScale,
    rate: learningRate / (1 - options.beta1 ** step),
    rootCorrection: 1 / Math.sqrt(1 - options.beta2 ** step),
  };
}

/** Arrays of equal length; all but the gradient are changed. */
export interface AdamArrays {
  readonly values: Float32Array;
  readonly gradient: Float32Array;
  readonly first: Float32Array;
  readonly second: Float32Array;
}

/** θ ← θ − lr · m̂ / (√v̂ + ε), and the moments before it. */
export function applyAdam({ values, gradient, first, second }: AdamArrays, step: AdamStep): void {
  const { beta1, beta2, epsilon, gradientScale, rate, rootCorrection } = step;
  for (let i = 0; i < values.length; i++) {
    const g = gradient[i] * gradientScale;
    const m = beta1 * first[i] + (1 - beta1) * g;
    const v = beta2 * second[i] + (1 - beta2) * g * g;
    first[i] = m;
    second[i] = v;
    values[i] -= (rate * m) / (Math.sqrt(v) * rootCorrection + epsilon);
  }
}
