import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import { batchIndices, type PairLengths, paddingShare, pairLengths } from './batches.ts';
import { EncodedPairs } from './encoded.ts';

/** Lengths like those of short sentences and their translations: about 15 tokens, correlated. */
function likeSentences(count: number, seed: number): PairLengths {
  const random = Random.of(seed);
  const source = Int32Array.from({ length: count }, () => 5 + Math.round(10 * Math.exp(0.4 * random.normal())));
  const target = source.map((length) => Math.max(2, Math.round(length * (1 + 0.15 * random.normal()))));
  return { source, target };
}

const order = (lengths: PairLengths, seed: number, epoch: number) =>
  batchIndices(lengths, { maxTokens: 500, seed, epoch }).batches.map((batch) => [...batch]);

describe('batchIndices', () => {
  it('holds every pair that fits once, and no batch is larger than maxTokens on either side', () => {
    const side = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 300, size: 'max' });
    fc.assert(
      fc.property(side, fc.integer({ min: 1, max: 400 }), fc.nat(), (source, maxTokens, seed) => {
        const target = Random.of(seed).shuffle([...source]);
        const lengths = { source: Int32Array.from(source), target: Int32Array.from(target) };
        const longest = (index: number) => Math.max(source[index], target[index]);
        fc.pre(source.some((_, index) => longest(index) <= maxTokens));
        const { batches, leftOut } = batchIndices(lengths, { maxTokens, seed, epoch: 1 });
        for (const batch of batches) {
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length * Math.max(...[...batch].map(longest))).toBeLessThanOrEqual(maxTokens);
        }
        for (const index of leftOut) expect(longest(index)).toBeGreaterThan(maxTokens);
        const all = [...leftOut, ...batches.flatMap((batch) => [...batch])].sort((a, b) => a - b);
        expect(all).toEqual([...source.keys()]);
      }),
    );
  });

  it('is a function of seed and epoch', () => {
    const lengths = likeSentences(1000, 1);
    expect(order(lengths, 7, 3)).toEqual(order(lengths, 7, 3));
    expect(order(lengths, 7, 4)).not.toEqual(order(lengths, 7, 3));
    expect(order(lengths, 8, 3)).not.toEqual(order(lengths, 7, 3));
  });

  it('combines pairs differently in each epoch', () => {
    const lengths = likeSentences(3000, 1);
    const epochs = [1, 2, 3, 4, 5, 6].map((epoch) => order(lengths, 1, epoch));
    const matesOf = (batches: number[][], index: number) => new Set(batches.find((batch) => batch.includes(index)));
    const shares = Array.from({ length: 200 }, (_, index) => {
      const [first, ...others] = epochs.map((batches) => matesOf(batches, index));
      return others.map((mates) => [...first].filter((mate) => mates.has(mate)).length / first.size);
    }).flat();
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeLessThan(0.55);
  });

  it('does not order batches by length', () => {
    const lengths = likeSentences(3000, 1);
    for (const epoch of [1, 2, 3]) {
      const widths = order(lengths, 1, epoch).map((batch) => lengths.target[batch[0]]);
      const half = widths.length >> 1;
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      const ratio = mean(widths.slice(0, half)) / mean(widths.slice(half));
      expect(ratio).toBeGreaterThan(0.75);
      expect(ratio).toBeLessThan(1.33);
    }
  });

  it('wastes less than 5 % on padding', () => {
    const lengths = likeSentences(30_000, 2);
    for (const epoch of [1, 2, 3, 4]) {
      const { batches } = batchIndices(lengths, { maxTokens: 4096, seed: 1, epoch });
      expect(paddingShare(batches, lengths)).toBeLessThan(0.05);
    }
  });

  it('returns pairs that are too long for a batch, in order', () => {
    const lengths = { source: Int32Array.of(3, 11, 3, 4), target: Int32Array.of(3, 3, 12, 4) };
    const { batches, leftOut } = batchIndices(lengths, { maxTokens: 10, seed: 1, epoch: 1 });
    expect([...leftOut]).toEqual([1, 2]);
    expect(batches.flatMap((batch) => [...batch]).sort()).toEqual([0, 3]);
  });

  it('makes batches of the given pairs, with repetitions', () => {
    const lengths = likeSentences(100, 1);
    const indices = Uint32Array.of(4, 4, 9, 50, 4, 9);
    const { batches } = batchIndices(lengths, { maxTokens: 500, seed: 1, epoch: 1, indices });
    expect(batches.flatMap((batch) => [...batch]).sort((a, b) => a - b)).toEqual([4, 4, 4, 9, 9, 50]);
    expect([...indices]).toEqual([4, 4, 9, 50, 4, 9]);
  });

  it('refuses to leave out all pairs', () => {
    const lengths = { source: Int32Array.of(3, 9), target: Int32Array.of(9, 3) };
    const of = (lengths: PairLengths, maxTokens: number) => () =>
      batchIndices(lengths, { maxTokens, seed: 1, epoch: 1 });
    for (const maxTokens of [8, 0, Number.NaN])
      expect(of(lengths, maxTokens)).toThrow(
        `batches: maxTokens must hold at least one pair, got ${maxTokens}, but all`,
      );
    const none = { source: new Int32Array(0), target: new Int32Array(0) };
    expect(of(none, 100)).toThrow('batches: there must be at least one pair, got none.');
  });
});

describe('pairLengths', () => {
  it('counts the control token of each side', () => {
    const pairs = new EncodedPairs();
    pairs.append({ source: Int32Array.of(5, 6, 7), target: Int32Array.of(8) });
    pairs.append({ source: Int32Array.of(5), target: Int32Array.of(8, 9) });
    expect(pairLengths(pairs)).toEqual({ source: Int32Array.of(4, 2), target: Int32Array.of(2, 3) });
  });
});

describe('paddingShare', () => {
  it('counts both sides of all batches', () => {
    const lengths = { source: Int32Array.of(4, 2, 3), target: Int32Array.of(4, 3, 3) };
    // 8 + 8 places, 13 filled; then 3 + 3, all filled.
    expect(paddingShare([Uint32Array.of(0, 1), Uint32Array.of(2)], lengths)).toBeCloseTo(3 / 22, 12);
    expect(paddingShare([], lengths)).toBe(0);
  });
});
