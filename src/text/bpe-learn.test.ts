import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { learnMerges, type MergeOptions } from './bpe-learn.ts';

function learn(words: Record<string, number>, options: Partial<MergeOptions> = {}): string[] {
  const merges = learnMerges(new Map(Object.entries(words)), {
    characters: charactersOf(Object.keys(words)),
    maxMerges: Number.POSITIVE_INFINITY,
    maxPieces: Number.POSITIVE_INFINITY,
    minimumFrequency: 1,
    reserved: new Set(),
    ...options,
  });
  return merges.map((merge) => merge.join('+'));
}

function charactersOf(words: string[]): string[] {
  return [...new Set(words.join('').replaceAll(' ', '▁'))].sort();
}

/** The definition, without incremental counts: count all pairs again for each merge. Needs pieces with a unique merge. */
function learnSlowly(words: Map<string, number>, characters: string[], maxMerges: number): string[] {
  const pieces = [...characters];
  const rows = [...words].map(([word, count]) => ({ row: [...word].map((c) => pieces.indexOf(c)), count }));
  const merges: string[] = [];
  while (merges.length < maxMerges) {
    const counts = new Map<string, number>();
    for (const { row, count } of rows)
      for (let i = 0; i + 1 < row.length; i++) {
        const key = `${row[i]} ${row[i + 1]}`;
        counts.set(key, (counts.get(key) ?? 0) + count);
      }
    const pairs = [...counts].map(([key, count]) => ({ ids: key.split(' ').map(Number), count }));
    pairs.sort((a, b) => b.count - a.count || a.ids[0] - b.ids[0] || a.ids[1] - b.ids[1]);
    if (pairs.length === 0) break;
    const [left, right] = pairs[0].ids;
    merges.push(`${pieces[left]}+${pieces[right]}`);
    const spelling = pieces[left] + pieces[right];
    const joined = pieces.includes(spelling) ? pieces.indexOf(spelling) : pieces.push(spelling) - 1;
    for (const { row } of rows)
      for (let i = 0; i + 1 < row.length; i++) if (row[i] === left && row[i + 1] === right) row.splice(i, 2, joined);
  }
  return merges;
}

describe('learnMerges', () => {
  it('learns a small example', () => {
    const words = { 'low.': 5, 'lower.': 2, 'newest.': 6, 'widest.': 3 };
    expect(learn(words, { maxMerges: 6 })).toEqual(['e+s', 't+.', 'es+t.', 'l+o', 'lo+w', 'e+w']);
  });

  it('breaks ties by the ids of the left, then of the right piece', () => {
    expect(learn({ dc: 1, ba: 1, cd: 1, bb: 1 })).toEqual(['b+a', 'b+b', 'c+d', 'd+c']);
    expect(learn({ dc: 1, ba: 1, cd: 1, bb: 1 }, { characters: ['d', 'c', 'b', 'a'] })).toEqual([
      'd+c',
      'c+d',
      'b+b',
      'b+a',
    ]);
  });

  it('counts pairs that overlap, and joins them from the left', () => {
    expect(learn({ aaaaa: 1, bc: 3 })).toEqual(['a+a', 'b+c', 'aa+a', 'aa+aaa']); // 4 times aa, then aa|aa|a
  });

  it('takes a space for ▁ and never joins a ▁ of the text itself', () => {
    expect(learn({ ' a': 2, 'a▁': 9, '▁a': 9 }, { characters: ['a', '▁'] })).toEqual(['▁+a']);
  });

  it('stops at the number of merges, the number of pieces or the frequency, whichever comes first', () => {
    const words = { abcd: 3, abc: 1, ab: 1, xy: 1 };
    expect(learn(words)).toEqual(['a+b', 'ab+c', 'abc+d', 'x+y']);
    expect(learn(words, { minimumFrequency: 2 })).toEqual(['a+b', 'ab+c', 'abc+d']);
    expect(learn(words, { maxMerges: 2 })).toEqual(['a+b', 'ab+c']);
    expect(learn(words, { maxMerges: 0 })).toEqual([]);
    expect(learn(words, { maxPieces: 7 })).toEqual(['a+b']);
    expect(learn({})).toEqual([]);
  });

  it('splits words at characters that are none of the given', () => {
    expect(learn({ abxab: 2 }, { characters: ['a', 'b'] })).toEqual(['a+b']);
  });

  it('leaves out only merges that would give a reserved piece', () => {
    const words = { '<s>x': 4, '<s>': 1, '<s': 1 };
    expect(learn(words)).toEqual(['<+s', '<s+>', '<s>+x']);
    expect(learn(words, { reserved: new Set(['<s>']) })).toEqual(['<+s', '>+x', '<s+>x']);
  });

  it('equals the definition', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 12 });
    const words = fc.dictionary(word, fc.integer({ min: 1, max: 4 }), { maxKeys: 8 });
    fc.assert(
      fc.property(words, (counts) => {
        const map = new Map(Object.entries(counts));
        const slow = learnSlowly(map, ['a', 'b', 'c', 'd'], 12);
        fc.pre(new Set(slow).size === slow.length); // a merge that came up again is not repeated by us
        expect(learn(counts, { characters: ['a', 'b', 'c', 'd'], maxMerges: 12 })).toEqual(slow);
      }),
      { numRuns: 500 },
    );
  });

  it('never lists a merge twice', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (words) => {
        const merges: string[] = learn(Object.fromEntries(words.map((each) => [each, 1])));
        expect(new Set(merges).size).toBe(merges.length);
      }),
    );
  });
});
