import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentenceTer } from './ter.ts';
import { countEdits } from './ter-shifts.ts';

interface Golden {
  cases: [hypothesis: string, reference: string, edits: number][];
}

const golden = JSON.parse(
  readFileSync(new URL('../../test/golden/metrics-shifts.json', import.meta.url), 'utf8'),
) as Golden;

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 10 });

describe('countEdits', () => {
  it("finds sacreBLEU's number of edits in word salad", () => {
    for (const [hypothesis, reference, edits] of golden.cases) {
      expect(countEdits(hypothesis.split(' '), reference.split(' ')), `${hypothesis} → ${reference}`).toBe(edits);
    }
  });
  it('counts a moved phrase as one edit', () => {
    expect(countEdits('d e f a b c'.split(' '), 'a b c d e f'.split(' '))).toBe(1);
    expect(countEdits('a b c d x'.split(' '), 'b c a d e'.split(' '))).toBe(2);
  });
  it('is 0 only for equal texts, and never more than replacing everything', () => {
    fc.assert(
      fc.property(words, words, (hypothesis, reference) => {
        const edits = countEdits(hypothesis, reference);
        expect(edits === 0).toBe(hypothesis.join(' ') === reference.join(' '));
        expect(edits).toBeLessThanOrEqual(Math.max(hypothesis.length, reference.length));
        expect(edits).toBeGreaterThanOrEqual(Math.abs(hypothesis.length - reference.length));
      }),
    );
  });
});

describe('TER', () => {
  it('takes the fewest edits over the mean reference length', () => {
    const score = sentenceTer('a b c', ['a b c d', 'x y']);
    expect(score.edits).toBe(1);
    expect(score.referenceLength).toBe(3);
    expect(score.score).toBeCloseTo(100 / 3, 10);
  });
  it('ignores case by default', () => {
    expect(sentenceTer('A b', ['a B']).score).toBe(0);
    expect(sentenceTer('A b', ['a B'], { caseSensitive: true }).score).toBe(100);
  });
  it('gives 100 for words against an empty reference, and 0 for empty texts', () => {
    expect(sentenceTer('a b', ['']).score).toBe(100);
    expect(sentenceTer('', ['']).score).toBe(0);
    expect(sentenceTer('', ['a b']).score).toBe(100);
  });
  it('tokenises references twice, as sacreBLEU does', () => {
    const score = sentenceTer("it's's", ["it's's"], { normalized: true });
    expect([score.edits, score.referenceLength]).toEqual([2, 3]);
  });
});
