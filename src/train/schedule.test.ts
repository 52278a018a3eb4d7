import { describe, expect, it } from 'vitest';
import { learningRate, type ScheduleOptions } from './schedule.ts';

const paper: ScheduleOptions = { schedule: 'paper', peakRate: 1, warmupSteps: 4000, dModel: 512 };
/** The formula of section 5.3. */
const formula = (step: number, d: number) => d ** -0.5 * Math.min(step ** -0.5, step * 4000 ** -1.5);
const relativeTo = (expected: number, got: number) => Math.abs(got / expected - 1);

describe('the paper’s schedule', () => {
  it.each([
    [1, 1.7469e-7],
    [2000, 3.4939e-4],
    [4000, 6.988e-4],
    [100_000, 1.3975e-4],
  ])('at step %i', (step, expected) => {
    expect(relativeTo(expected, learningRate(step, paper))).toBeLessThan(1e-4);
    expect(relativeTo(formula(step, 512), learningRate(step, paper))).toBeLessThan(1e-12);
  });

  it('has the peak of the big model', () => {
    expect(relativeTo(4.941e-4, learningRate(4000, { ...paper, dModel: 1024 }))).toBeLessThan(1e-4);
  });

  it('ignores a peak that is given', () => {
    expect(learningRate(10, { ...paper, peakRate: 5 })).toBe(learningRate(10, paper));
  });
});

describe('the other schedules', () => {
  const given = { peakRate: 0.005, warmupSteps: 2000, decaySteps: 10_000, dModel: 128 } as const;

  it('grow linearly up to the peak', () => {
    for (const schedule of ['inverse-sqrt', 'linear', 'constant'] as const) {
      expect(learningRate(1, { ...given, schedule })).toBeCloseTo(0.005 / 2000, 15);
      expect(learningRate(1000, { ...given, schedule })).toBeCloseTo(0.0025, 15);
      expect(learningRate(2000, { ...given, schedule })).toBe(0.005);
    }
  });

  it('then decay with the root of the step, or stay constant', () => {
    expect(learningRate(8000, { ...given, schedule: 'inverse-sqrt' })).toBeCloseTo(0.0025, 15);
    expect(learningRate(8000, { ...given, schedule: 'constant' })).toBe(0.005);
  });

  it('then decay linearly to zero', () => {
    const linear = { ...given, schedule: 'linear' } as const;
    expect(learningRate(2000, linear)).toBe(0.005);
    expect(learningRate(6000, linear)).toBeCloseTo(0.0025, 15);
    expect(learningRate(9999, linear)).toBeCloseTo(0.005 / 8000, 15);
    expect([10_000, 20_000].map((step) => learningRate(step, linear))).toEqual([0, 0]);
  });

  it('start at the peak without a warm-up', () => {
    expect(learningRate(1, { ...given, schedule: 'constant', warmupSteps: 0 })).toBe(0.005);
    expect(learningRate(4, { ...given, schedule: 'inverse-sqrt', warmupSteps: 0 })).toBe(0.0025);
  });
});
