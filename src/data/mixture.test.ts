import { describe, expect, it } from 'vitest';
import { epochPairs } from './mixture.ts';

const countOf = (indices: Uint32Array, from: number, to: number) =>
  indices.filter((index) => index >= from && index < to).length;

describe('epochPairs', () => {
  it('gives each corpus its share of an epoch', () => {
    const parts = [
      { pairs: 1000, weight: 0.7 },
      { pairs: 3000, weight: 0.3 },
    ];
    for (const epoch of [1, 2, 7]) {
      const indices = epochPairs(parts, { seed: 1, epoch });
      expect(indices.length).toBe(4000);
      expect(countOf(indices, 0, 1000)).toBe(2800);
      expect(countOf(indices, 1000, 4000)).toBe(1200);
    }
  });

  it('has every pair once without weights', () => {
    const indices = epochPairs([{ pairs: 5 }, { pairs: 7 }], { seed: 1, epoch: 3 });
    expect([...indices].sort((a, b) => a - b)).toEqual([...Array(12).keys()]);
  });

  it('repeats no pair before all others of its corpus have come', () => {
    const parts = [
      { pairs: 100, weight: 1 },
      { pairs: 300, weight: 1 },
    ];
    const seen = new Map<number, number>();
    for (let epoch = 1; epoch <= 3; epoch++) {
      for (const index of epochPairs(parts, { seed: 5, epoch })) seen.set(index, (seen.get(index) ?? 0) + 1);
      const counts = Array.from({ length: 300 }, (_, i) => seen.get(100 + i) ?? 0);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }
    // 3 × 200 pairs: the first corpus six times, the second one twice, to the last pair.
    expect([...seen.values()].filter((count) => count === 6)).toHaveLength(100);
    expect([...seen.values()].filter((count) => count === 2)).toHaveLength(300);
  });

  it('is a function of seed and epoch', () => {
    const parts = [
      { pairs: 50, weight: 1 },
      { pairs: 50, weight: 3 },
    ];
    const of = (seed: number, epoch: number) => [...epochPairs(parts, { seed, epoch })];
    expect(of(1, 2)).toEqual(of(1, 2));
    expect(of(1, 3)).not.toEqual(of(1, 2));
    expect(of(2, 2)).not.toEqual(of(1, 2));
  });

  it('takes at least one pair of each corpus', () => {
    const parts = [
      { pairs: 10, weight: 1e-9 },
      { pairs: 10, weight: 1 },
    ];
    expect(countOf(epochPairs(parts, { seed: 1, epoch: 1 }), 0, 10)).toBe(1);
  });
});
