import { describe, expect, it } from 'vitest';
import type { StepRequest } from '../decode/index.ts';
import type { StateSpec } from '../nn/index.ts';
import { PrefetchedSteps } from './prefetched-steps.ts';

const request = (tokens: number[], { parents = tokens.map(() => 0), top = 3 } = {}): StepRequest => ({
  sentences: Int32Array.of(0),
  width: tokens.length,
  tokens: Int32Array.from(tokens),
  parents: Int32Array.from(parents),
  top,
});

const logProbabilities = { shape: [3, 1, 1, 2], data: Float32Array.of(1, 2, 3, 4, 5, 6) };
const ofTwo = { shape: [3, 1, 2, 1], data: Float32Array.of(1, 2, 3, 4, 5, 6) };

const states = [0, 1].flatMap((layer): StateSpec[] => [
  { name: `${layer}.keys`, kind: 'append', shape: [1, 'length', 1] },
  { name: `${layer}.values`, kind: 'append', shape: [1, 'length', 1] },
]);
const facts = { top: 3, states };

/** [2 layers, 1 head, P, 1]: layer · 100 + slot; values have the opposite sign. */
const statesOf = (slots: number) => {
  const data = Float32Array.from({ length: 2 * slots }, (_, i) => 100 * Math.floor(i / slots) + (i % slots));
  const shape = [2, 1, slots, 1];
  return { 'appended.keys.1': { shape, data }, 'appended.values.1': { shape, data: data.map((x) => -x) } };
};

describe('PrefetchedSteps of greedy search', () => {
  const threeSteps = () =>
    new PrefetchedSteps(
      { logProbabilities, candidates: { shape: [3, 1, 1, 2], data: Int32Array.of(5, 50, 7, 70, 9, 90) } },
      statesOf(7),
      facts,
    );

  it('answers requests that continue with the best candidate, until all steps are used', () => {
    const steps = threeSteps();
    expect(steps.first.results.logProbabilities).toEqual({ shape: [1, 1, 2], data: Float32Array.of(1, 2) });
    expect(steps.take(request([5]))?.results.logProbabilities.data).toEqual(Float32Array.of(3, 4));
    expect(steps.take(request([7]))?.results.logProbabilities.data).toEqual(Float32Array.of(5, 6));
    expect(steps.take(request([9]))).toBeUndefined();
  });

  it('returns the new state rows of each step, the last slots', () => {
    const steps = threeSteps();
    const [first, second] = [steps.first, steps.take(request([5]))];
    expect(first.withStates()).toMatchObject({
      'appended.keys.1': { shape: [2, 1, 1], data: Float32Array.of(4, 104) },
      'appended.values.1': { shape: [2, 1, 1], data: Float32Array.of(-4, -104) },
    });
    expect(second?.withStates()['appended.keys.1'].data).toEqual(Float32Array.of(5, 105));
  });

  it('prefetches fewer steps after a wrong prediction, and more after right ones', () => {
    const steps = threeSteps();
    steps.take(request([5]));
    steps.take(request([8]));
    expect(steps.worthwhile).toBe(2);
    steps.take(request([7]));
    expect(steps.worthwhile).toBe(6);
  });

  it('does not answer a request with another token or another number of candidates', () => {
    expect(threeSteps().take(request([6]))).toBeUndefined();
    expect(threeSteps().take(request([5], { top: 4 }))).toBeUndefined();
  });
});

describe('PrefetchedSteps of beam search', () => {
  const steps = () =>
    new PrefetchedSteps(
      {
        logProbabilities: ofTwo,
        nextTokens: { shape: [3, 1, 2], data: Int32Array.of(5, 6, 7, 8, 9, 10) },
        parents: { shape: [3, 1, 2], data: Int32Array.of(0, 0, 1, 0, 0, 1) },
      },
      statesOf(9),
      facts,
    );

  it('answers a request that continues the predicted hypotheses by the predicted tokens', () => {
    const two = steps();
    expect(two.take(request([5, 6]))?.results.logProbabilities.data).toEqual(Float32Array.of(3, 4));
    expect(two.take(request([7, 8], { parents: [1, 0] }))?.results.logProbabilities.data).toEqual(
      Float32Array.of(5, 6),
    );
  });

  it('has a slot for each hypothesis of a step', () => {
    expect(steps().first.withStates()['appended.keys.1'].data).toEqual(Float32Array.of(3, 4, 103, 104));
  });

  it('does not answer a request with other tokens or parents', () => {
    expect(steps().take(request([5, 7]))).toBeUndefined();
    expect(steps().take(request([5, 6], { parents: [0, 1] }))).toBeUndefined();
  });
});
