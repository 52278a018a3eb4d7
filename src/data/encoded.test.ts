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
        for (const [source, target] of sequences)
          pairs.append({ source: Int32Array.from(source), target: Int32Array.from(target) });
        expect(pairs.length).toBe(sequences.length);
        sequences.forEach(([source, target], i) => {
          expect([...pairs.pair(i).source]).toEqual(source);
          expect([...pairs.pair(i).target]).toEqual(target);
          expect([pairs.sourceLength(i), pairs.targetLength(i)]).toEqual([source.length, target.length]);
        });
      }),
      { numRuns: 20 },
    );
  });

  it('has no pair outside its length', () => {
    const pairs = new EncodedPairs();
    pairs.append({ source: codes('a'), target: codes('b') });
    for (const index of [-1, 1, Number.NaN]) {
      expect(() => pairs.pair(index)).toThrow(RangeError);
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
    const pairs = new EncodedPairs();
    const report = await encodePairs(corpus, pairs, encoders);
    expect(pairs.length).toBe(2);
    expect(pairs.pair(1)).toEqual({ source: codes('d'), target: codes('efg') });
    expect(report).toMatchObject({ read: 3, kept: 2, dropped: { blank: { count: 1, lines: [2] } } });
  });

  it('passes the options to the cleaner', async () => {
    const corpus = [
      { line: 1, source: 'ab', target: 'c' },
      { line: 2, source: 'a', target: 'c' },
    ];
    const report = await encodePairs(corpus, new EncodedPairs(), { ...encoders, clean: { maxLength: 1 } });
    expect(report.dropped['too long'].lines).toEqual([1]);
  });

  it('puts the tag before each source, and does not count it', async () => {
    const pairs = new EncodedPairs();
    const corpus = [{ line: 1, source: 'ab', target: 'c' }];
    await encodePairs(corpus, pairs, { ...encoders, tagId: 3, clean: { maxLength: 2 } });
    expect(pairs.pair(0)).toEqual({ source: Int32Array.of(3, ...codes('ab')), target: codes('c') });
  });

  it('waits for a slow store', async () => {
    const done: number[] = [];
    const append = async ({ source }: { source: Int32Array }) => {
      await new Promise((resolve) => setTimeout(resolve, 5 - source.length));
      done.push(source.length);
    };
    const corpus = ['a', 'ab', 'abc'].map((source, i) => ({ line: i + 1, source, target: 'x' }));
    await encodePairs(corpus, { append }, encoders);
    expect(done).toEqual([1, 2, 3]);
  });

  it('refuses a corpus with nothing to learn from and says what was dropped', async () => {
    const blank = [
      { line: 1, source: '', target: 'c' },
      { line: 2, source: 'a', target: ' ' },
      { line: 3, source: 'x'.repeat(300), target: 'y' },
    ];
    await expect(encodePairs(blank, new EncodedPairs(), encoders)).rejects.toThrow(
      'fit for training, got none of 3: 2 pairs dropped: blank (lines 1, 2); 1 pair dropped: too long (line 3). Mend',
    );
    await expect(encodePairs([], new EncodedPairs(), encoders)).rejects.toThrow(
      'corpus: there must be at least one pair, got none.',
    );
  });
});
