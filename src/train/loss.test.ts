import { describe, expect, it } from 'vitest';
import { drawn, value } from '../../test/leaves.ts';
import { evaluate, gradients, input, type Value } from '../tensor/index.ts';
import { sequenceLoss } from './loss.ts';

const V = 5;
const PAD = 3;
const logits = input('logits', 'float32', ['batch', 'target', V]);
const expected = input('expected', 'int32', ['batch', 'target']);
const ids = value([
  [4, 0, 2],
  [1, PAD, PAD],
]);

function lossOf(scores: Value, smoothing: number, gold = ids) {
  const { total, negativeLogLikelihood } = sequenceLoss(logits, expected, { padId: PAD, smoothing });
  const outputs = [total, negativeLogLikelihood, ...gradients(total, [logits])];
  const leaves = new Map([
    [logits, scores],
    [expected, gold],
  ]);
  const [sum, likelihood, slope] = evaluate(outputs, leaves);
  return { total: sum.data[0], negativeLogLikelihood: likelihood.data[0], slope: slope.data };
}

/** log p of every token at one position. */
function logProbabilities(scores: Value, place: number): number[] {
  const row = [...scores.data.subarray(place * V, (place + 1) * V)];
  const logSum = Math.log(row.reduce((sum, score) => sum + Math.exp(score), 0));
  return row.map((score) => score - logSum);
}

describe('sequenceLoss', () => {
  const scores = drawn([2, 3, V], 1);
  const real = [0, 1, 2, 3]; // positions whose expected token is not padding

  it.each([0, 0.1, 0.4])(
    'is −Σ q log p over tokens without padding, q = (1 − ε)·gold + ε/V, with ε = %f',
    (smoothing) => {
      const { total, negativeLogLikelihood } = lossOf(scores, smoothing);
      let [smoothed, plain] = [0, 0];
      for (const place of real) {
        logProbabilities(scores, place).forEach((logProbability, id) => {
          const isGold = id === ids.data[place] ? 1 : 0;
          smoothed -= ((1 - smoothing) * isGold + smoothing / V) * logProbability;
          plain -= isGold * logProbability;
        });
      }
      expect(total).toBeCloseTo(smoothed, 10);
      expect(negativeLogLikelihood).toBeCloseTo(plain, 10);
    },
  );

  it('ignores padding, in the loss and in the gradient', () => {
    const other = { shape: scores.shape, data: scores.data.map((x, i) => (i < 4 * V ? x : 100 * x)) };
    const { slope, ...sums } = lossOf(scores, 0.1);
    expect(lossOf(other, 0.1)).toMatchObject(sums);
    expect(slope.subarray(4 * V).every((entry) => entry === 0)).toBe(true);
    expect(slope.subarray(0, 4 * V).every((entry) => entry !== 0)).toBe(true);
  });

  it('is 0, not NaN, if all tokens are padding', () => {
    const { total, negativeLogLikelihood, slope } = lossOf(scores, 0.1, value(Array(2).fill(Array(3).fill(PAD))));
    expect([total, negativeLogLikelihood]).toEqual([0, 0]);
    expect(slope.every((entry) => entry === 0)).toBe(true);
  });

  it('is finite for very confident models, right or wrong', () => {
    const sure = { shape: scores.shape, data: scores.data.map((x) => 1e4 * x) };
    const { total, slope } = lossOf(sure, 0.1);
    expect(Number.isFinite(total)).toBe(true);
    expect(slope.every(Number.isFinite)).toBe(true);
  });

  it('with smoothing is minimal at p = q, and not at p = 1', () => {
    const at = (score: number) => {
      const data = Float64Array.from({ length: 6 * V }, (_, i) => (i % V === ids.data[Math.floor(i / V)] ? score : 0));
      return lossOf({ shape: scores.shape, data }, 0.1).total;
    };
    const best = Math.log((0.9 + 0.1 / V) / (0.1 / V));
    expect(at(best)).toBeLessThan(at(best - 0.1));
    expect(at(best)).toBeLessThan(at(best + 0.1));
  });
});
