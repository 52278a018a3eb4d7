import { describe, expect, it } from 'vitest';
import { formatScore, formatScoresJson, type Score, scoreToJson } from './score.ts';

const score: Score = { name: 'BLEU', score: 34.75, signature: 'nrefs:1|tok:13a|version:2.6.0', details: '71.0/47.5' };

describe('a printed score', () => {
  it('carries its signature', () => {
    expect(formatScore(score)).toBe('BLEU|nrefs:1|tok:13a|version:2.6.0 = 34.8 71.0/47.5');
    expect(formatScore({ ...score, details: '' }, 3)).toBe('BLEU|nrefs:1|tok:13a|version:2.6.0 = 34.750');
  });
  it('shows the confidence interval', () => {
    const sure = { ...score, confidence: { mean: 34.71, halfWidth: 0.26 } };
    expect(formatScore(sure)).toBe('BLEU|nrefs:1|tok:13a|version:2.6.0 = 34.8 (μ = 34.7 ± 0.3) 71.0/47.5');
    expect(scoreToJson(sure)).toEqual({
      name: 'BLEU',
      score: 34.8,
      signature: 'nrefs:1|tok:13a|version:2.6.0',
      confidence_mean: 34.7,
      confidence_var: 0.3,
      confidence: 'μ = 34.7 ± 0.3',
      verbose_score: '71.0/47.5',
      nrefs: '1',
      tok: '13a',
      version: '2.6.0',
    });
  });
  it('leaves out an interval around 0, as sacreBLEU does', () => {
    const zero = { ...score, score: 0, confidence: { mean: 0, halfWidth: 0 } };
    expect(formatScore(zero)).toBe('BLEU|nrefs:1|tok:13a|version:2.6.0 = 0.0 71.0/47.5');
    expect(scoreToJson(zero)).not.toHaveProperty('confidence');
  });
  it("is sacreBLEU's JSON to the letter, a list of several", () => {
    const whole = { name: 'TER', score: 40, signature: 'nrefs:1|case:lc', details: '' };
    const object =
      '{\n "name": "TER",\n "score": 40.0,\n "signature": "nrefs:1|case:lc",\n "nrefs": "1",\n "case": "lc"\n}';
    expect(formatScoresJson([whole])).toBe(object);
    expect(formatScoresJson([whole, whole])).toBe(`[\n${object},\n${object}\n]`);
  });
  it('takes 0 to 10 decimals', () => {
    for (const decimals of [-1, 1.5, 11]) {
      expect(() => formatScore(score, decimals)).toThrow(
        `score: decimals must be a whole number from 0 to 10, got ${decimals}.`,
      );
    }
  });
});
