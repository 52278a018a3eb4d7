import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusBleu, sentenceBleu } from './bleu.ts';

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 12 });
const line = words.map((list) => list.join(' '));

describe('BLEU', () => {
  it('is the geometric mean of the precisions times the brevity penalty', () => {
    // 5 of 5 words, 3 of 4 pairs, 1 of 3 triples, 0 of 2 fours (exp: 1/2 of a match); 5 words for 6.
    const score = corpusBleu(['the cat sat mat on'], [['the cat sat on the mat']], { smoothing: 'exp' });
    expect(score.counts).toEqual([5, 2, 1, 0]);
    expect(score.totals).toEqual([5, 4, 3, 2]);
    expect(score.brevityPenalty).toBeCloseTo(Math.exp(1 - 6 / 5), 12);
    expect(score.score).toBeCloseTo(100 * Math.exp(-0.2) * (1 * (2 / 4) * (1 / 3) * (0.5 / 2)) ** 0.25, 10);
  });
  it('adds up counts over the corpus, it does not average lines', () => {
    const hypotheses = ['a b c d', 'x y z w v u'];
    const references = ['a b c d', 'm n o p q r'];
    const mean = hypotheses.reduce((sum, text, i) => sum + sentenceBleu(text, [references[i]]).score / 2, 0);
    expect(corpusBleu(hypotheses, [references]).score).not.toBeCloseTo(mean, 1);
  });
  it('takes the reference length nearest to the hypothesis, of two equally near the shorter', () => {
    expect(sentenceBleu('a b c', ['a b', 'a b c d', 'a b c d e f']).referenceLength).toBe(2);
  });
  it('is 100 for a long enough text against itself and stays within 0 and 100', () => {
    fc.assert(
      fc.property(line, line, line, (hypothesis, first, second) => {
        const { score } = corpusBleu([hypothesis], [[first], [second]], { effectiveOrder: true });
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100 + 1e-9);
      }),
    );
    expect(corpusBleu(['a b c d'], [['a b c d']]).score).toBeCloseTo(100, 10);
  });
  it('does not depend on the order of the references', () => {
    fc.assert(
      fc.property(line, line, line, (hypothesis, first, second) => {
        const score = sentenceBleu(hypothesis, [first, second]).score;
        expect(sentenceBleu(hypothesis, [second, first]).score).toBeCloseTo(score, 12);
      }),
    );
  });
  it('uses the effective order for sentences by default', () => {
    expect(sentenceBleu('a b', ['a b']).signature).toContain('eff:yes');
    expect(sentenceBleu('a b', ['a b'], { effectiveOrder: false }).signature).toContain('eff:no');
  });
  it('takes well under a second of processor time for 3,000 lines (the limit is for slow machines)', () => {
    const lines = Array.from({ length: 3000 }, (_, i) =>
      Array.from({ length: 25 }, (_, j) => `w${(i * j + j) % 997}`).join(' '),
    );
    const started = process.cpuUsage();
    corpusBleu(lines, [lines.map((text) => text.replace('w1', 'x1'))]);
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(3);
  });
});

describe('BLEU refuses', () => {
  it('an unknown tokenizer or smoothing, and names the nearest', () => {
    const options = JSON.parse('{"tokenizer": "13"}') as object;
    expect(() => corpusBleu(['a'], [['a']], options)).toThrow(
      'BLEU: tokenizer must be one of 13a, intl, zh, char, none, got 13; did you mean 13a?',
    );
    const smoothing = JSON.parse('{"smoothing": "addk"}') as object;
    expect(() => corpusBleu(['a'], [['a']], smoothing)).toThrow(
      'BLEU: smoothing must be one of none, floor, add-k, exp, got addk; did you mean add-k?',
    );
  });
  it('a smoothing value that does not apply, and one below zero', () => {
    expect(() => corpusBleu(['a'], [['a']], { smoothingValue: 1 })).toThrow(
      'BLEU: smoothingValue belongs to floor and add-k, got 1 for exp.',
    );
    for (const smoothingValue of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => corpusBleu(['a'], [['a']], { smoothing: 'floor', smoothingValue })).toThrow(
        `BLEU: smoothingValue must be a number of at least 0, got ${smoothingValue}.`,
      );
    }
  });
});
