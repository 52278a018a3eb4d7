import { describe, expect, it } from 'vitest';
import { HeedError, isHeedError } from './error.ts';
import { didYouMean, nearest } from './nearest.ts';
import { Random } from './random.ts';

describe('HeedError', () => {
  it('names the place first', () => {
    const error = new HeedError('attention', 'dModel must be divisible by heads, got 500 and 8.');
    expect(error.message).toBe('attention: dModel must be divisible by heads, got 500 and 8.');
    expect(isHeedError(error)).toBe(true);
    expect(isHeedError(new Error('x'))).toBe(false);
  });
});

describe('nearest', () => {
  it('finds the known name with the fewest edits', () => {
    expect(nearest('leraning-rate', ['learning-rate', 'label-smoothing'])).toBe('learning-rate');
    expect(nearest('smal', ['tiny', 'small', 'base'])).toBe('small');
  });
  it('returns nothing if no name is near', () => {
    expect(nearest('xyz', ['learning-rate'])).toBeUndefined();
    expect(didYouMean('xyz', ['learning-rate'])).toBe('');
  });
});

describe('Random', () => {
  it('gives the same stream for the same name and another for another', () => {
    const draw = (random: Random) => Array.from({ length: 5 }, () => random.uint32());
    expect(draw(Random.of(1, 'a', 2))).toEqual(draw(Random.of(1, 'a', 2)));
    const others = [Random.of(2, 'a', 2), Random.of(1, 'b', 2), Random.of(1, 'a', 3), Random.of(1, 'a')].map(draw);
    for (const other of others) expect(other).not.toEqual(draw(Random.of(1, 'a', 2)));
  });
  it('continues from a saved state', () => {
    const random = Random.of(3);
    random.uint32();
    const copy = Random.restore(random.state());
    expect(copy.uniform()).toBe(random.uniform());
  });
  it('is uniform and normal within statistical error', () => {
    const random = Random.of(4);
    const n = 100_000;
    const uniform = Array.from({ length: n }, () => random.uniform());
    const normal = Array.from({ length: n }, () => random.normal());
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = (values: number[]) => mean(values.map((value) => value * value)) - mean(values) ** 2;
    expect(mean(uniform)).toBeCloseTo(0.5, 2);
    expect(variance(uniform)).toBeCloseTo(1 / 12, 2);
    expect(mean(normal)).toBeCloseTo(0, 1.8);
    expect(variance(normal)).toBeCloseTo(1, 1);
  });
  it('shuffles every item somewhere, once', () => {
    const items = Array.from({ length: 100 }, (_, i) => i);
    const shuffled = Random.of(5).shuffle([...items]);
    expect(shuffled).not.toEqual(items);
    expect(shuffled.sort((a, b) => a - b)).toEqual(items);
  });
});
