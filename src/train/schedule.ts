// Section 5.3: the learning rate of each step.

export interface ScheduleOptions {
  /** paper: d^-0.5 · min(step^-0.5, step · warmup^-1.5). inverseSqrt: the same shape with a given peak. constant: the peak after warm-up. */
  readonly schedule: 'paper' | 'inverse-sqrt' | 'constant';
  /** Rate at the end of the warm-up; the paper's schedule derives it from dModel. */
  readonly peakRate: number;
  /** Steps of linear growth. */
  readonly warmupSteps: number;
  readonly dModel: number;
}

/** The learning rate of a step, counted from 1. */
export function learningRate(step: number, { schedule, peakRate, warmupSteps, dModel }: ScheduleOptions): number {
  const warmup = Math.max(1, warmupSteps);
  const peak = schedule === 'paper' ? (dModel * warmup) ** -0.5 : peakRate;
  if (step < warmup) return (peak * step) / warmup;
  return schedule === 'constant' ? peak : peak * Math.sqrt(warmup / step);
}
