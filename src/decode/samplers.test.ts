import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import { mostProbable, randomSampler } from './samplers.ts';
import type { NextTokens } from './scores.ts';

const row = (...probabilities: number[]): NextTokens => {
  const allowed = Float32Array.from(probabilities, Math.log);
  return { tokens: undefined, logProbabilities: allowed, allowed };
};
const defaults = { temperature: 1, topK: 0, topP: 1, seed: 0 };

/** The relative frequency of each token in 20,000 draws. */
function shares(next: NextTokens, options: Partial<typeof defaults>): number[] {
  const sample = randomSampler({ ...defaults, ...options }, Random.of(1));
  const counts = new Array<number>(next.allowed.length).fill(0);
  for (let i = 0; i < 20_000; i++) counts[sample(next) ?? -1]++;
  return counts.map((count) => count / 20_000);
}

function expectShares(actual: readonly number[], expected: readonly number[]): void {
  for (const [i, share] of expected.entries()) {
    if (share === 0) expect(actual[i]).toBe(0);
    else expect(Math.abs(actual[i] - share)).toBeLessThan(0.015);
  }
}

describe('mostProbable', () => {
  it('takes the lower id on ties, and none if nothing is allowed', () => {
    expect(mostProbable(row(0.1, 0.45, 0.45))).toBe(1);
    expect(mostProbable(row(0, 0))).toBeUndefined();
  });
});

describe('randomSampler', () => {
  const next = row(0.1, 0.4, 0.3, 0.2, 0);
  it('draws by probability, and never forbidden tokens', () => {
    expectShares(shares(next, {}), [0.1, 0.4, 0.3, 0.2, 0]);
    expectShares(shares(row(0.2, 0, 0.2), {}), [0.5, 0, 0.5]);
  });
  it('sharpens or flattens the distribution by temperature', () => {
    const squared = [0.01, 0.16, 0.09, 0.04].map((p) => p / 0.3);
    expectShares(shares(next, { temperature: 0.5 }), [...squared, 0]);
  });
  it('keeps the topK most probable', () => {
    expectShares(shares(next, { topK: 2 }), [0, 4 / 7, 3 / 7, 0, 0]);
  });
  it('keeps the fewest that reach topP', () => {
    expectShares(shares(next, { topP: 0.65 }), [0, 4 / 7, 3 / 7, 0, 0]);
    expectShares(shares(next, { topP: 0.75 }), [0, 4 / 9, 3 / 9, 2 / 9, 0]);
    expectShares(shares(next, { topP: 1e-9 }), [0, 1, 0, 0, 0]);
  });
  it('applies topP after topK', () => {
    // Of 0.4 and 0.3 the first alone has a share of 0.57.
    expectShares(shares(next, { topK: 2, topP: 0.5 }), [0, 1, 0, 0, 0]);
  });
  it('draws nothing if nothing is allowed', () => {
    expect(randomSampler(defaults, Random.of(1))(row(0, 0))).toBeUndefined();
    expect(randomSampler({ ...defaults, topK: 2 }, Random.of(1))(row(0, 0))).toBeUndefined();
  });
});
