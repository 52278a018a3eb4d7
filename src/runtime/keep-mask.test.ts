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

  it.each([0.1, 0.3, 0.5])('drops neighbours independently at rate %f', (rate) => {
    const count = 400_000;
    const excess = maskOf(count, rate).map((entry) => (entry === 0 ? 1 : 0) - rate);
    // Six standard deviations of the mean of products of independent entries.
    const bound = (6 * rate * (1 - rate)) / Math.sqrt(count);
    for (const lag of [1, 2, 3, 4, 6, 7, 19, 20, 21, 64]) {
      const products = excess.subarray(lag).map((entry, i) => entry * excess[i]);
      expect(Math.abs(mean(products)), `lag ${lag}`).toBeLessThan(bound);
    }
  });

  it('drops every place of a mask as often as another, the first and the last too', () => {
    const random = Random.of(1);
    const mask = new Float32Array(30);
    const dropped = new Float64Array(mask.length);
    const draws = 20_000;
    for (let i = 0; i < draws; i++) {
      fillKeepMask(mask, 0.1, random);
      mask.forEach((entry, place) => {
        if (entry === 0) dropped[place]++;
      });
    }
    const bound = 5 * Math.sqrt((0.1 * 0.9) / draws);
    dropped.forEach((count, place) => {
      expect(Math.abs(count / draws - 0.1), `place ${place}`).toBeLessThan(bound);
    });
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
