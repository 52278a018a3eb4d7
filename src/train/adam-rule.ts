// Section 5.3: Adam's rule (Kingma and Ba 2015), entry by entry. A file of its own, since the helper thread uses it, too.

export interface AdamOptions {
  /** Default 0.9. */
  readonly beta1: number;
  /** Default 0.98 (the paper). */
  readonly beta2: number;
  /** Default 1e-9 (the paper). */
  readonly epsilon: number;
}

export const paperAdam: AdamOptions = { beta1: 0.9, beta2: 0.98, epsilon: 1e-9 };

/** The numbers of one update. */
export interface AdamStep extends AdamOptions {
  /** A factor of the gradients. */
  readonly gradientScale: number;
  /** The learning rate, including the bias correction of the first moment. */
  readonly rate: number;
  /** A factor of the root of the second moment: its bias correction. */
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
