import { expect, it } from 'vitest';
import { formatNumber, formatProbability } from './format.ts';

it('formatNumber writes three decimals', () => {
  expect([-1.23456, 0, -0.0001, 2].map(formatNumber)).toEqual(['−1.235', '0.000', '0.000', '2.000']);
});

it('formatProbability keeps two digits of small ones', () => {
  expect(formatProbability(0)).toBe('100.0 %');
  expect(formatProbability(Math.log(0.00123))).toBe('0.12 %');
});
