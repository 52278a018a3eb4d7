// Section 5.3: the learning rate of each step.

export interface ScheduleOptions {
  /**
   * paper: d^-0.5 · min(step^-0.5, step · warmup^-1.5). inverse-sqrt: the same shape with a given peak. linear: from the peak
   * down to zero at decaySteps. constant: the peak after warm-up.
   */
  readonly schedule: 'paper' | 'inverse-sqrt' | 'linear' | 'constant';
  /** Rate at the end of the warm-up; the paper's schedule derives it from dModel. */
  readonly peakRate: number;
  /** Steps of linear growth. */
  readonly warmupSteps: number;
  /** The step at which the linear schedule is at zero; the others do not have it. */
  readonly decaySteps?: number | undefined;
  readonly dModel: number;
}

/** The learning rate of a step, counted from 1. */
export function learningRate(step: number, options: ScheduleOptions): number {
  const { schedule, peakRate, dModel } = options;
  const warmup = Math.max(1, options.warmupSteps);
  const peak = schedule === 'paper' ? (dModel * warmup) ** -0.5 : peakRate;
  if (step < warmup) return (peak * step) / warmup;
  if (schedule === 'constant') return peak;
  if (schedule === 'linear') return peak * shareLeft(step, warmup, options.decaySteps ?? warmup);
  return peak * Math.sqrt(warmup / step);
}

/** The remaining fraction of the steps from the end of the warm-up to the last step. */
function shareLeft(step: number, warmup: number, last: number): number {
  return step >= last ? 0 : (last - step) / (last - warmup);
}
