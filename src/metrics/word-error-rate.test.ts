import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoreCorpus } from './metric.ts';
import { scoreWithConfidence } from './significance.ts';
import { errorRate, errorRateMetric, exactMatch, exactMatchMetric } from './word-error-rate.ts';

interface Golden {
  cases: [hypothesis: string, reference: string, edits: number][];
  errorRates: { word: number; character: number };
}

const golden = JSON.parse(
  readFileSync(new URL('../../test/golden/metrics-shifts.json', import.meta.url), 'utf8'),
) as Golden;

describe('errorRate', () => {
  it("equals jiwer's word and character error rates", () => {
    const hypotheses = golden.cases.map(([hypothesis]) => hypothesis);
    const references = [golden.cases.map(([, reference]) => reference)];
    for (const unit of ['word', 'character'] as const) {
      expect(errorRate(hypotheses, references, unit).score).toBeCloseTo(100 * golden.errorRates[unit], 9);
    }
  });
  it('counts against the nearest reference', () => {
    const score = errorRate(
      ['T AH M EY T OW', 'R UW T'],
      [
        ['T AH M AA T OW', 'R AW T'],
        ['T AH M EY T OW', undefined],
      ],
      'phoneme',
    );
    expect(score).toEqual({
      name: 'PER',
      score: 100 / 9,
      signature: 'nrefs:var|case:mixed|unit:phoneme|ref:nearest',
      details: '(errors = 1 ref_len = 9)',
      errors: 1,
      referenceLength: 9,
    });
  });
  it('takes the longer of two equally near references', () => {
    expect(errorRate(['a b'], [['a'], ['a b c']], 'word').referenceLength).toBe(3);
  });
  it('does not depend on the order of the references', () => {
    const line = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 }).map((list) => list.join(' '));
    fc.assert(
      fc.property(line, line, line, (hypothesis, first, second) => {
        const forward = errorRate([hypothesis], [[first], [second]], 'word');
        expect(errorRate([hypothesis], [[second], [first]], 'word')).toEqual(forward);
      }),
    );
  });
  it('counts an emoji as one character, and words against nothing as wholly wrong', () => {
    expect(errorRate(['😀b'], [['😁b']], 'character').score).toBe(50);
    expect(errorRate(['a'], [['']], 'word').score).toBe(100);
    expect(errorRate([''], [['']], 'word').score).toBe(0);
  });
  it('refuses unequal line counts', () => {
    expect(() => errorRate(['a', 'b'], [['a']], 'word')).toThrow('WER: each reference stream needs one line');
  });
});

describe('exactMatch', () => {
  it('is the share of lines that equal one of their references to the letter', () => {
    const score = exactMatch(
      ['a', 'b', 'C', 'd '],
      [
        ['a', 'x', 'c', 'd'],
        [undefined, 'b', undefined, undefined],
      ],
    );
    expect(score).toMatchObject({
      name: 'EM',
      score: 50,
      matches: 2,
      lines: 4,
      signature: 'nrefs:var|case:mixed|ref:any',
      details: '(matches = 2 lines = 4 wrong = 50.0)',
    });
  });
  it('refuses unequal line counts', () => {
    expect(() => exactMatch(['a', 'b'], [['a']])).toThrow('exact match: each reference stream needs one line');
  });
});

describe('both as metrics', () => {
  it('ignore case on request', () => {
    expect(scoreCorpus(errorRateMetric('word', { lowercase: true }), ['A b'], [['a B c']])).toMatchObject({
      errors: 1,
      signature: 'nrefs:1|case:lc|unit:word|ref:nearest',
    });
    expect(scoreCorpus(exactMatchMetric({ lowercase: true }), ['A'], [['a']])).toMatchObject({
      matches: 1,
      signature: 'nrefs:1|case:lc|ref:any',
    });
  });
  it('can be resampled', () => {
    const lines = Array.from({ length: 100 }, (_, i) => (i % 4 === 0 ? 'a' : 'b'));
    const { score, confidence, signature } = scoreWithConfidence(exactMatchMetric(), lines, [lines.map(() => 'a')]);
    expect(score).toBe(25);
    expect(confidence?.mean).toBeCloseTo(25, 0);
    // 1.96 √(0.25 · 0.75 / 100) = 8.5 per cent
    expect(Math.abs((confidence?.halfWidth ?? 0) - 8.5)).toBeLessThan(1);
    expect(signature).toBe('nrefs:1|bs:1000|seed:12345|case:mixed|ref:any');
  });
});
