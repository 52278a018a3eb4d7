import { describe, expect, it } from 'vitest';
import { HashedModel } from '../../test/hashed-model.ts';
import { type Candidate, compareCandidates, emptyHypothesis, endedResult, result } from './hypothesis.ts';
import { type DecodeOptionsInput, decodeOptions } from './options.ts';
import { sentenceTasks } from './sentence.ts';

const model = new HashedModel({ words: 5, seeds: [1] });
const task = (options: DecodeOptionsInput) =>
  sentenceTasks(model, [{ sourceLength: 2 }], decodeOptions(options), [])[0];
const candidate = (total: number, row: number, token: number): Candidate => ({
  parent: emptyHypothesis,
  row,
  token,
  logProbability: total,
  total,
});

describe('compareCandidates', () => {
  it('orders by total, ties by lower row, then by lower token', () => {
    const sorted = [
      candidate(-1, 0, 3),
      candidate(-2, 0, 9),
      candidate(-2, 1, 4),
      candidate(-2, 1, 5),
      candidate(-3, 0, 4),
    ];
    expect(sorted.toReversed().sort(compareCandidates)).toEqual(sorted);
  });
});

describe('a result', () => {
  const two = { ...emptyHypothesis, tokens: [3, 4], logProbabilities: [-1, -2], total: -3 };
  it('counts END, but not START', () => {
    const ended = endedResult(
      { ...candidate(-5, 0, model.endId), parent: two, logProbability: -2 },
      task({ lengthPenalty: 'average' }),
    );
    expect(ended).toMatchObject({
      tokens: [3, 4],
      logProbabilities: [-1, -2, -2],
      length: 3,
      score: -5 / 3,
      reason: 'end',
    });
  });
  it('has no END where it was cut', () => {
    const cut = result(two, 'length', task({ lengthPenalty: 'average' }));
    expect(cut).toMatchObject({ tokens: [3, 4], length: 2, score: -1.5, reason: 'length' });
  });
  it('has a score even if it is empty', () => {
    expect(result(emptyHypothesis, 'blocked', task({ lengthPenalty: 'average' }))).toMatchObject({
      length: 0,
      score: 0,
    });
  });
});
