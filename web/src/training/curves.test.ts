import { describe, expect, it } from 'vitest';
import { curvesOf, type RunLog, samplesAt, valueAt } from './curves.ts';

const step = (number: number, gradientNorm?: number): RunLog['events'][number] => ({
  kind: 'step',
  step: number,
  epoch: 1,
  loss: number / 10,
  negativeLogLikelihood: 1,
  learningRate: 1e-3,
  targetTokens: 1,
  ...(gradientNorm === undefined ? {} : { gradientNorm }),
});
const validation = (number: number, translation?: string): RunLog['events'][number] => ({
  kind: 'validation',
  step: number,
  epoch: 1,
  loss: 2,
  perplexity: 7,
  accuracy: 0.5,
  best: true,
  ...(translation === undefined ? {} : { samples: [{ source: 's', reference: 'r', translation }] }),
});
const speed = (number: number, targetTokensPerSecond: number): RunLog['speeds'][number] => ({
  kind: 'speed',
  step: number,
  time: '2025-01-01T00:00:00.000Z',
  targetTokensPerSecond,
});

const log: RunLog = {
  events: [step(10), validation(15, 'one'), step(20, 0.5), validation(25)],
  speeds: [speed(10, 100), speed(20, 200), speed(10, 300)],
};

describe('curvesOf', () => {
  it('has training and validation loss', () => {
    expect(curvesOf('loss', log)).toEqual({
      training: { steps: [10, 20], values: [1, 2] },
      heldOut: { steps: [15, 25], values: [2, 2] },
    });
  });

  it('omits metrics that were not measured', () => {
    expect(curvesOf('gradientNorm', log).training).toEqual({ steps: [20], values: [0.5] });
    expect(curvesOf('bleu', log).heldOut).toEqual({ steps: [], values: [] });
  });

  it('takes the later speed of a repeated step', () => {
    expect(curvesOf('speed', log).training).toEqual({ steps: [10, 20], values: [300, 200] });
  });
});

describe('valueAt', () => {
  const curve = { steps: [10, 20], values: [1, 2] };

  it.each([
    [undefined, 2],
    [20, 2],
    [19, 1],
    [9, undefined],
  ])('at step %s is %s', (at, value) => {
    expect(valueAt(curve, at)).toBe(value);
  });
});

describe('samplesAt', () => {
  it('finds the last samples, none before the first', () => {
    expect(samplesAt(log)?.step).toBe(15);
    expect(samplesAt(log, 14)).toBeUndefined();
  });
});
