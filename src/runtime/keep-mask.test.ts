import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import { fillKeepMask } from './keep-mask.ts';

function maskOf(length: number, rate: number, seed = 1): Float32Array {
  const mask = new Float32Array(length).fill(Number.NaN);
  fillKeepMask(mask, rate, Random.of(seed, 'dropout'));
  return mask;
}

function mean(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
}

describe('fillKeepMask', () => {
  it.each([0.1, 0.3, 0.5, 0.9])('drops a share of %f, and the rest makes up for it', (rate) => {
    const mask = maskOf(200_001, rate);
    expect(mean(mask.map((entry) => (entry === 0 ? 1 : 0)))).toBeCloseTo(rate, 2);
    expect(mean(mask)).toBeCloseTo(1, 1);
    const kept = Math.fround(1 / (1 - rate));
    expect(mask.every((entry) => entry === 0 || entry === kept)).toBe(true);
  });

  it('drops nothing at rate 0', () => {
    expect(maskOf(1001, 0).every((entry) => entry === 1)).toBe(true);
  });

  it('drops neighbours independently', () => {
    const dropped = maskOf(200_000, 0.5).map((entry) => (entry === 0 ? 1 : -1));
    for (const lag of [1, 2, 3, 4, 64]) {
      const products = dropped.subarray(lag).map((entry, i) => entry * dropped[i]);
      expect(Math.abs(mean(products)), `lag ${lag}`).toBeLessThan(0.01);
    }
  });

  it('is a function of the stream', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 50 }), (seed, length) => {
        expect(maskOf(length, 0.4, seed)).toEqual(maskOf(length, 0.4, seed));
      }),
    );
    expect(maskOf(64, 0.5, 1)).not.toEqual(maskOf(64, 0.5, 2));
  });

  it('moves its stream on, so that the next mask differs', () => {
    const random = Random.of(1);
    const [first, second] = [new Float32Array(64), new Float32Array(64)];
    fillKeepMask(first, 0.5, random);
    fillKeepMask(second, 0.5, random);
    expect(first).not.toEqual(second);
  });
});
