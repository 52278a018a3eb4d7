import { describe, expect, it } from 'vitest';
import { dot, dotSum, factor, format, normalised, softmaxSum } from './sums.ts';

const words = { more: (count: number) => `… ${count} more` };

describe('format', () => {
  it('keeps about four digits and a real minus sign', () => {
    expect([0, 1.23456, -0.5, 12.345, -1234.5].map(format)).toEqual(['0.000', '1.235', '−0.500', '12.35', '−1234.5']);
  });

  it('writes masked entries as −∞, and small numbers with an exponent', () => {
    expect(format(-1e9)).toBe('−∞');
    expect(format(0.00001234)).toBe('1.2e-5');
    expect(format(-0)).toBe('0.000');
  });

  it('brackets negative numbers', () => {
    expect([factor(2), factor(-2)]).toEqual(['2.000', '(−2.000)']);
  });
});

describe('dotSum', () => {
  it('writes the largest products and counts the rest', () => {
    const [left, right] = [
      [1, -2, 0.1, 3],
      [1, 2, 0.1, 3],
    ];
    expect(dotSum(left, right, words)).toBe('3.000·3.000 + (−2.000)·2.000 + 1.000·1.000 + … 1 more = 6.010');
    expect(dot(left, right)).toBeCloseTo(6.01);
  });

  it('writes short ones in full', () => {
    expect(dotSum([2], [0.5], words)).toBe('2.000·0.500 = 1.000');
  });
});

describe('softmaxSum', () => {
  it('divides one exponential by the sum of all that are not masked', () => {
    const sum = softmaxSum([1, 2, -1e9], { place: 1, weight: 0.731 }, words);
    expect(sum).toBe('e^2.000 / (e^2.000 + e^1.000) = 0.731');
  });

  it('gives masked entries 0', () => {
    expect(softmaxSum([1, -1e9], { place: 1, weight: 0 }, words)).toBe('e^(−∞) / Σ = 0.000');
  });
});

it('normalised brings a row to mean 0 and variance 1', () => {
  const { mean, deviation, value } = normalised([1, 3], 1, 0);
  expect([mean, deviation, value]).toEqual([2, 1, 1]);
});
