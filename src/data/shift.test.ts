import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import { shiftedBlocks } from './shift.ts';

/** Lengths in characters of lines and their translations, correlated as those of real corpora are. */
function likeCorpus(count: number, seed: number) {
  const random = Random.of(seed);
  const source = Array.from({ length: count }, () => Math.round(60 * Math.exp(0.4 * random.normal())));
  const target = source.map((length) => Math.round(1.1 * length * Math.exp(0.15 * random.normal())));
  return { source, target };
}

/** The targets with line `first` (from 1) doubled and line `last + 1` lost: those between stand one line too low. */
function shift(target: readonly number[], first: number, last: number): number[] {
  return [...target.slice(0, first), target[first - 1], ...target.slice(first, last), ...target.slice(last + 1)];
}

describe('shiftedBlocks', () => {
  it('finds 72 shifted lines among 1,553, to within a few lines', () => {
    const { source, target } = likeCorpus(1553, 1);
    const [block, ...others] = shiftedBlocks(source, shift(target, 400, 471));
    expect(others).toEqual([]);
    expect(block.offset).toBe(1);
    expect(Math.abs(block.firstLine - 401)).toBeLessThan(6);
    expect(Math.abs(block.lastLine - 471)).toBeLessThan(6);
  });

  it('finds shifts in either direction and up to three lines', () => {
    const { source, target } = likeCorpus(600, 2);
    for (const offset of [-3, -2, -1, 1, 2, 3]) {
      const shifted = target.map((length, i) => (i >= 200 && i < 300 ? target[i - offset] : length));
      const blocks = shiftedBlocks(source, shifted);
      expect(blocks).toHaveLength(1);
      expect(blocks[0].offset).toBe(offset);
      expect(Math.abs(blocks[0].firstLine - 201)).toBeLessThan(8);
      expect(Math.abs(blocks[0].lastLine - 300)).toBeLessThan(8);
    }
  });

  it('finds a corpus that is shifted from its tenth line to its end', () => {
    const { source, target } = likeCorpus(3000, 3);
    const [block] = shiftedBlocks(source, shift(target, 10, 2999));
    expect(block.offset).toBe(1);
    expect(block.firstLine).toBeLessThan(20);
    expect(block.lastLine).toBeGreaterThan(2990);
  });

  it('finds nothing in sound corpora', () => {
    for (const seed of [4, 5, 6]) {
      const { source, target } = likeCorpus(20_000, seed);
      expect(shiftedBlocks(source, target)).toEqual([]);
    }
  });

  it('finds nothing if lengths are uncorrelated', () => {
    const { source } = likeCorpus(20_000, 7);
    expect(shiftedBlocks(source, likeCorpus(20_000, 8).target)).toEqual([]);
    expect(
      shiftedBlocks(
        source,
        source.map(() => 10),
      ),
    ).toEqual([]);
    expect(shiftedBlocks([5, 6], [6, 5])).toEqual([]);
    expect(shiftedBlocks([], [])).toEqual([]);
  });
});
