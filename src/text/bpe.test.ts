import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BytePairEncoder } from './bpe.ts';
import { type Merge, Vocabulary } from './pieces.ts';

const characters = ['a', 'b', 'c', 'd', '▁'];
const controlTokens = ['<pad>', '<s>', '</s>'];

function encoderOf(merges: Merge[]): (word: string, dropout?: number[]) => string[] {
  const vocabulary = new Vocabulary({ controlTokens, characters, merges });
  const encoder = new BytePairEncoder(vocabulary, merges);
  return (word, drops) => {
    const drop = drops && (() => drops.shift() === 1);
    return encoder.encode(word, drop).map((id) => vocabulary.pieces[id]);
  };
}

/** The definition: join the leftmost pair of the lowest rank, as long as there is one. */
function encodeSlowly(word: string, merges: Merge[]): string[] {
  const row = [...word];
  for (;;) {
    const merge = merges.find(([left, right]) => row.some((piece, i) => piece === left && row[i + 1] === right));
    if (merge === undefined) return row;
    const at = row.findIndex((piece, i) => piece === merge[0] && row[i + 1] === merge[1]);
    row.splice(at, 2, merge[0] + merge[1]);
  }
}

/** Merge lists whose parts are characters or results of earlier merges. */
const mergeLists = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 15 }).map((choices) => {
  const pieces = ['a', 'b', 'c', 'd'];
  const merges = new Map<string, Merge>();
  for (const [i, j] of choices) {
    const merge: Merge = [pieces[i % pieces.length], pieces[j % pieces.length]];
    merges.set(merge.join(' '), merge);
    pieces.push(merge[0] + merge[1]);
  }
  return [...merges.values()];
});

describe('BytePairEncoder', () => {
  it('joins by rank, not from left to right', () => {
    const encode = encoderOf([
      ['b', 'c'],
      ['a', 'b'],
      ['bc', 'd'],
    ]);
    expect(encode('abcd')).toEqual(['a', 'bcd']);
    expect(encode('abab')).toEqual(['ab', 'ab']);
    expect(encode('')).toEqual([]);
  });

  it('joins overlapping pairs from the left', () => {
    expect(encoderOf([['a', 'a']])('aaaaa')).toEqual(['aa', 'aa', 'a']);
  });

  it('spells a space ▁, and ▁ and other unknown characters in bytes, which join nothing', () => {
    const encode = encoderOf([['▁', 'a']]);
    expect(encode(' a')).toEqual(['▁a']);
    expect(encode('▁a')).toEqual(['<0xE2>', '<0x96>', '<0x81>', 'a']);
    expect(encode('aéb')).toEqual(['a', '<0xC3>', '<0xA9>', 'b']);
    expect(encode('😀')).toEqual(['<0xF0>', '<0x9F>', '<0x98>', '<0x80>']);
    expect(encode('\0')).toEqual(['<0x00>']);
  });

  it('equals the definition', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 30 });
    fc.assert(
      fc.property(words, mergeLists, (word, merges) => {
        expect(encoderOf(merges)(word)).toEqual(encodeSlowly(word, merges));
      }),
      { numRuns: 500 },
    );
  });

  it('skips dropped merges for one step', () => {
    const merges: Merge[] = [
      ['a', 'b'],
      ['b', 'c'],
      ['bc', 'd'],
    ];
    // Draws: ab dropped, bc taken; then of the rest (bcd) dropped.
    expect(encoderOf(merges)('abcd', [1, 0, 1])).toEqual(['a', 'bc', 'd']);
    // ab dropped once, cannot come back after bc; bcd taken.
    expect(encoderOf(merges)('abcd', [1, 0, 0])).toEqual(['a', 'bcd']);
    // ab dropped in the first step, taken in the second.
    expect(encoderOf([merges[0], ['c', 'd']])('abcd', [1, 0, 0])).toEqual(['ab', 'cd']);
    expect(encoderOf([merges[0], ['c', 'd']])('abcd', [1, 0, 1])).toEqual(['a', 'b', 'cd']);
  });

  it('encodes a word of 200,000 characters at once', () => {
    const encode = encoderOf([
      ['a', 'b'],
      ['ab', 'ab'],
      ['abab', 'abab'],
    ]);
    const start = performance.now();
    expect(encode('ab'.repeat(100_000))).toHaveLength(25_000);
    expect(performance.now() - start).toBeLessThan(5000); // a quadratic encoder takes minutes
  });
});
