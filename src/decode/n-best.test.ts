import { describe, expect, it } from 'vitest';
import type { HypothesisResult } from './hypothesis.ts';
import { NBest } from './n-best.ts';

const result = (score: number, tokens: number[], missingPhrases: number[] = []): HypothesisResult => ({
  tokens,
  logProbabilities: [],
  score,
  length: tokens.length + 1,
  reason: 'end',
  attention: undefined,
  missingPhrases,
});

function best(
  capacity: number,
  results: readonly HypothesisResult[],
  distinctBy?: (tokens: readonly number[]) => string,
) {
  const list = new NBest(capacity, distinctBy);
  for (const each of results) list.add(each);
  return { scores: list.results.map((each) => each.score), tokens: list.results.map((each) => each.tokens), list };
}

describe('NBest', () => {
  it('keeps the best in order, earlier ones first on ties', () => {
    const { scores, tokens } = best(3, [
      result(-3, [1]),
      result(-1, [2]),
      result(-3, [3]),
      result(-2, [4]),
      result(-9, [5]),
    ]);
    expect(scores).toEqual([-1, -2, -3]);
    expect(tokens[2]).toEqual([1]);
  });
  it('accepts new results while there is room, then only better ones than the last', () => {
    expect(best(2, [result(-1, [1])]).list.threshold).toBe(-Infinity);
    expect(best(2, [result(-1, [1]), result(-2, [2]), result(-3, [3])]).list.threshold).toBe(-2);
  });
  it('orders results that lack a phrase last', () => {
    expect(best(2, [result(-1, [1], [0]), result(-5, [2])]).scores).toEqual([-5, -1]);
  });
  it('keeps the best of results that are equal under distinctBy', () => {
    const bySum = (tokens: readonly number[]): string => String(tokens.reduce((a, b) => a + b, 0));
    const alike = [result(-2, [1, 2]), result(-1, [3]), result(-3, [2, 1]), result(-4, [4])];
    expect(best(3, alike, bySum).scores).toEqual([-1, -4]);
    expect(best(3, alike).scores).toEqual([-1, -2, -3]);
  });
});
