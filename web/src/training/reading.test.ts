import { describe, expect, it } from 'vitest';
import { formatMeasure, formatTick } from './reading.ts';

describe('measures', () => {
  it.each([
    ['bleu', 35.868, '35.87'],
    ['loss', 2.6712, '2.671'],
    ['loss', 0.2, '0.200'],
    ['learningRate', 0.000481, '4.81e−4'],
    ['perplexity', 17727.4, '17,727'],
    ['gradientNorm', 0, '0.00'],
  ] as const)('%s %d is %s', (name, value, text) => {
    expect(formatMeasure(name, value)).toBe(text);
  });

  it.each([
    ['bleu', 60, '60'],
    ['loss', 2.5, '2.5'],
    ['learningRate', 0.0005, '5e−4'],
    ['learningRate', 0.01, '0.01'],
    ['speed', 1000, '1,000'],
    ['loss', 10, '10'],
  ] as const)('on an axis %s %d is %s', (name, value, text) => {
    expect(formatTick(name, value)).toBe(text);
  });
});
