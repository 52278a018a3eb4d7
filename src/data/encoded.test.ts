import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EncodedPairs, encodePairs } from './encoded.ts';

const codes = (text: string) => Int32Array.from(text, (character) => character.codePointAt(0) ?? 0);

describe('EncodedPairs', () => {
  it('gives back what was appended, however much it grew', () => {
    const sequence = fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { maxLength: 400 });
    fc.assert(
      fc.property(fc.array(fc.tuple(sequence, sequence), { maxLength: 300, size: 'max' }), (sequences) => {
        const pairs = new EncodedPairs();
        for (const [source, target] of sequences) pairs.append(Int32Array.from(source), Int32Array.from(target));
        expect(pairs.length).toBe(sequences.length);
        sequences.forEach(([source, target], i) => {
          expect([...pairs.source(i)]).toEqual(source);
          expect([...pairs.target(i)]).toEqual(target);
        });
      }),
      { numRuns: 20 },
    );
  });

  it('has no pair outside its length', () => {
    const pairs = new EncodedPairs();
    pairs.append(codes('a'), codes('b'));
    for (const index of [-1, 1, Number.NaN]) {
      expect(() => pairs.source(index)).toThrow(RangeError);
      expect(() => pairs.target(index)).toThrow(RangeError);
    }
  });
});

describe('encodePairs', () => {
  const encoders = { encodeSource: codes, encodeTarget: codes };

  it('encodes and cleans in order', async () => {
    const corpus = [
      { line: 1, source: 'ab', target: 'c' },
      { line: 2, source: '', target: 'c' },
      { line: 3, source: 'd', target: 'efg' },
    ];
    const { pairs, report } = await encodePairs(corpus, encoders);
    expect(pairs.length).toBe(2);
    expect(pairs.source(1)).toEqual(codes('d'));
    expect(pairs.target(1)).toEqual(codes('efg'));
    expect(report).toMatchObject({ read: 3, kept: 2, dropped: { blank: { count: 1, lines: [2] } } });
  });

  it('hands the options to the cleaner', async () => {
    const corpus = [
      { line: 1, source: 'ab', target: 'c' },
      { line: 2, source: 'a', target: 'c' },
    ];
    const { report } = await encodePairs(corpus, { ...encoders, clean: { maxLength: 1 } });
    expect(report.dropped['too long'].lines).toEqual([1]);
  });

  it('refuses a corpus with nothing to learn from and says what was dropped', async () => {
    const blank = [
      { line: 1, source: '', target: 'c' },
      { line: 2, source: 'a', target: ' ' },
      { line: 3, source: 'x'.repeat(300), target: 'y' },
    ];
    await expect(encodePairs(blank, encoders)).rejects.toThrow(
      'fit for training, got none of 3: 2 pairs dropped: blank (lines 1, 2); 1 pair dropped: too long (line 3). Mend',
    );
    await expect(encodePairs([], encoders)).rejects.toThrow('corpus: there must be at least one pair, got none.');
  });
});
