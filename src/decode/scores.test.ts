import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestEntries, byProbability, RowScores } from './scores.ts';
import type { StepRequest, StepScores } from './step.ts';

const request = (rows: number, top?: number): StepRequest => ({
  sentences: Int32Array.of(0),
  width: rows,
  tokens: new Int32Array(rows),
  parents: new Int32Array(rows),
  top,
});
const scores = (logProbabilities: readonly number[], tokens?: readonly number[]): StepScores => ({
  logProbabilities: Float32Array.from(logProbabilities),
  tokens: tokens && Int32Array.from(tokens),
  attention: undefined,
});
const where = { vocabularySize: 3, position: 7 };

describe('RowScores', () => {
  it('names the step of a NaN', () => {
    expect(() => new RowScores(scores([-1, -1, -1, -1, Number.NaN, -1]), request(2), where)).toThrow(
      'decode: step 7: the model must give log-probabilities, got NaN in row 1; its weights may be damaged.',
    );
  });
  it('refuses logits, but not rounding errors above log 1', () => {
    expect(() => new RowScores(scores([0.5, -1, -1]), request(1), where)).toThrow('got 0.5 in row 0');
    expect(() => new RowScores(scores([1e-6, -Infinity, -20]), request(1), where)).not.toThrow();
  });
  it('refuses arrays of the wrong length', () => {
    expect(() => new RowScores(scores([-1, -1]), request(1), where)).toThrow(
      'decode: step 7: the model must answer 1 × 3 scores, got 2 and no tokens.',
    );
    expect(() => new RowScores(scores([-1, -1]), request(1, 2), where)).toThrow('1 × 2 scores, got 2 and no tokens');
  });
});

describe('bestEntries', () => {
  const value = fc.oneof(fc.constant(-Infinity), fc.integer({ min: -4, max: 0 }));
  it('is the beginning of all allowed tokens in order, the lower id first on ties', () => {
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1 }),
        fc.integer({ min: 1, max: 8 }),
        fc.boolean(),
        (row, count, isTop) => {
          const allowed = Float32Array.from(row);
          const tokens = isTop ? Int32Array.from(row, (_, i) => 100 - i) : undefined;
          const next = { tokens, logProbabilities: allowed, allowed };
          const sorted = [...row.keys()].filter((i) => row[i] > -Infinity).sort(byProbability(next));
          expect(bestEntries(next, count)).toEqual(sorted.slice(0, count));
        },
      ),
    );
  });
});
