import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atTemperature, entropyBits, meanEntropyBits, pickValues, rowSum, strongestOf } from './weights.ts';

function softmax(scores: readonly number[], temperature = 1): number[] {
  const exponentials = scores.map((score) => Math.exp(score / temperature));
  const sum = exponentials.reduce((a, b) => a + b, 0);
  return exponentials.map((value) => value / sum);
}

describe('atTemperature', () => {
  it('is the softmax of the scores divided by the temperature', () => {
    const scores = fc.array(fc.double({ min: -8, max: 8, noNaN: true }), { minLength: 1, maxLength: 20 });
    const temperature = fc.double({ min: 0.2, max: 5, noNaN: true });
    fc.assert(
      fc.property(scores, temperature, (z, tau) => {
        const tempered = atTemperature(softmax(z), tau);
        for (const [i, expected] of softmax(z, tau).entries()) expect(tempered[i]).toBeCloseTo(expected, 5);
      }),
    );
  });

  it('sharpens below 1 and flattens above', () => {
    const row = [0.5, 0.3, 0.2];
    expect(atTemperature(row, 0.5)[0]).toBeCloseTo(0.25 / 0.38, 6);
    expect(atTemperature(row, 1e6)[2]).toBeCloseTo(1 / 3, 4);
  });

  it('keeps what is masked at zero, and a row of zeros as it is', () => {
    expect([...atTemperature([0.5, 0.5, 0], 3)]).toEqual([0.5, 0.5, 0]);
    expect([...atTemperature([0, 0], 2)]).toEqual([0, 0]);
  });

  it('does not underflow where temperature is low', () => {
    expect(rowSum(atTemperature([1e-6, 2e-6], 0.05))).toBeCloseTo(1, 6);
  });
});

describe('entropyBits', () => {
  it('is 0 for one token and log₂ n for n equal ones', () => {
    expect(entropyBits([0, 1, 0])).toBe(0);
    expect(entropyBits([0.25, 0.25, 0.25, 0.25])).toBe(2);
    expect(meanEntropyBits([[1, 0], Float32Array.of(0.5, 0.5)])).toBe(0.5);
    expect(meanEntropyBits([])).toBe(0);
  });
});

it('strongestOf finds the largest weight of all heads', () => {
  expect(strongestOf([[[0.2, 0.3]], [[0.7], [0.1]]])).toBe(0.7);
  expect(strongestOf([[[0, 0]]])).toBe(1);
});

describe('pickValues', () => {
  it('leaves out rows and columns without changing a weight', () => {
    const values = [
      [0.2, 0.3, 0.5],
      [0.1, 0.1, 0.8],
    ];
    const [row, ...others] = pickValues(values, [1], [0, 1]);
    expect(others).toEqual([]);
    expect([...row]).toEqual([Math.fround(0.1), Math.fround(0.1)]);
    expect(rowSum(row)).toBeCloseTo(0.2, 6);
  });
});
