import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { align, pharaoh, wordIndices } from './alignment.ts';

const row = (...weights: number[]) => Float32Array.from(weights);

describe('wordIndices', () => {
  it.each([
    [
      ['▁The', '▁d', 'og', ','],
      [0, 1, 1, 1],
    ],
    [
      ['▁', '▁', 'a', '▁b'],
      [undefined, undefined, 0, 1],
    ],
    [
      ['a', '▁', '▁b'],
      [0, undefined, 1],
    ],
    [
      ['<0x20>', 'a', '<0x20>', '<0xE2>', '<0x82>', '<0xAC>'],
      [undefined, 0, undefined, 1, 1, 1],
    ],
    [[], []],
  ])('%j gives %j', (pieces, words) => {
    expect(wordIndices(pieces)).toEqual(words);
  });

  it('finds the same number of words as splitting the text at spaces', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('▁', '▁a', 'b', '<0x20>', ',', '▁(')), (pieces) => {
        const text = pieces.map((piece) => piece.replace('▁', ' ').replace('<0x20>', ' ')).join('');
        const last = wordIndices(pieces).findLast((word) => word !== undefined) ?? -1;
        expect(last + 1).toBe(text.split(' ').filter((word) => word !== '').length);
      }),
    );
  });
});

describe('align', () => {
  it('links pieces by their attention, and words by the sum over their pieces', () => {
    const attention = [row(0.6, 0.3, 0.1, 0), row(0.1, 0.4, 0.45, 0.05), row(0.2, 0.2, 0.1, 0.5)];
    const { pieces, words } = align(attention, { source: ['▁ein', '▁Hund', 'e'], target: ['▁a', '▁dog', 's'] });
    expect(pieces).toEqual([0, 2, 0]);
    // dogs: 0.3 on “ein”, 0.4 + 0.45 + 0.2 + 0.1 on “Hunde”.
    expect(words).toEqual([
      { source: 0, target: 0 },
      { source: 1, target: 1 },
    ]);
    expect(pharaoh(words)).toBe('0-0 1-1');
  });
  it('takes the first on ties, and never END or a lone space', () => {
    const attention = [row(0.1, 0.1, 0.8), row(0, 0, 1)];
    expect(align(attention, { source: ['▁a', '▁b'], target: ['▁', '▁x'] })).toEqual({
      pieces: [0, 0],
      words: [{ source: 0, target: 0 }],
    });
  });
  it('has no links without source or target words', () => {
    expect(align([row(1)], { source: [], target: ['▁a'] })).toEqual({ pieces: [], words: [] });
    expect(align([row(0.5, 0.5)], { source: ['▁'], target: ['▁a'] })).toEqual({ pieces: [0], words: [] });
    expect(align([], { source: ['▁a'], target: [] })).toEqual({ pieces: [], words: [] });
  });
});
