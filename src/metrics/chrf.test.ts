import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusChrf, sentenceChrf } from './chrf.ts';

describe('chrF', () => {
  it('is F2 of character n-grams: by hand for one order', () => {
    // "abcd" against "abxyz": 2 matches, precision 2/4, recall 2/5; F2 = 5·P·R / (4·P + R).
    const score = sentenceChrf('ab cd', ['abxyz'], { charOrder: 1 });
    expect(score.score).toBeCloseTo((100 * 5 * 0.5 * 0.4) / (4 * 0.5 + 0.4), 10);
  });
  it('counts code points: an emoji is one character', () => {
    const score = sentenceChrf('😀a', ['😁a'], { charOrder: 1 });
    expect(score.score).toBeCloseTo(50, 10);
  });
  it('takes the best reference, whatever the order', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '😀', '.') });
    fc.assert(
      fc.property(text, text, text, (hypothesis, first, second) => {
        const both = sentenceChrf(hypothesis, [first, second]).score;
        const alone = [first, second].map((reference) => sentenceChrf(hypothesis, [reference]).score);
        expect(both).toBeCloseTo(Math.max(...alone), 10);
        expect(sentenceChrf(hypothesis, [second, first]).score).toBeCloseTo(both, 10);
      }),
    );
  });
  it('is named by its orders', () => {
    expect(sentenceChrf('a', ['a']).name).toBe('chrF2');
    expect(sentenceChrf('a', ['a'], { wordOrder: 2 }).name).toBe('chrF2++');
    expect(sentenceChrf('a', ['a'], { beta: 3, wordOrder: 1 }).name).toBe('chrF3+');
  });
  it('refuses impossible orders and betas', () => {
    expect(() => corpusChrf(['a'], [['a']], { charOrder: 1.5 })).toThrow(
      'chrF: charOrder must be a whole number of at least 0, got 1.5.',
    );
    expect(() => corpusChrf(['a'], [['a']], { wordOrder: -1 })).toThrow(
      'chrF: wordOrder must be a whole number of at least 0, got -1.',
    );
    expect(() => corpusChrf(['a'], [['a']], { charOrder: 0 })).toThrow(
      'chrF: charOrder and wordOrder must not both be 0',
    );
    for (const beta of [0, -2, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => corpusChrf(['a'], [['a']], { beta })).toThrow(`chrF: beta must be a number above 0, got ${beta}.`);
    }
  });
});
