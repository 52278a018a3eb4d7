// A search hint predicts the search's requests, unless rules forbid what it would select.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endId, firstWord, HashedModel } from '../../test/hashed-model.ts';
import type { DecodeOptionsInput } from './options.ts';
import { search } from './search.ts';
import type { HintedModel, SearchHint } from './search-hint.ts';
import type { StepRequest, StepScores } from './step.ts';

const padId = 0;

/** The request after the given scores, predicted from the hint and the suppressed tokens; undefined: the search ends. */
function nextRequest({ tokens = new Int32Array(), logProbabilities }: StepScores, hint: SearchHint, position: number) {
  const { steps, beam } = hint;
  const isAllowed = (token: number) => token >= firstWord || token === endId;
  if (beam === undefined) {
    const token = tokens.find(isAllowed) ?? endId;
    return token === endId || steps === 1 ? undefined : { tokens: [token], parents: [0] };
  }
  const { totals, endWeights, liveWeights } = beam;
  const count = tokens.length / totals.length;
  const all = Array.from(tokens, (token, i) => {
    const row = Math.floor(i / count);
    return { token, row, total: totals[row] + logProbabilities[i] };
  });
  const best = all
    .filter(({ token }) => isAllowed(token))
    .sort((a, b) => b.total - a.total || a.row - b.row || a.token - b.token);
  const ends = best.slice(0, totals.length).filter(({ token }) => token === endId);
  const threshold = Math.max(beam.threshold, ...ends.map(({ total }) => total * endWeights[position]));
  const kept = best.filter(({ token }) => token !== endId).slice(0, totals.length);
  if (steps === 1 || kept[0].total * liveWeights[position] <= threshold) return undefined;
  return { tokens: kept.map(({ token }) => token), parents: kept.map(({ row }) => row) };
}

/** Compares each request with what was predicted at the one before. */
async function steps(seed: number, options: DecodeOptionsInput) {
  const model = new HashedModel({ words: 8, seeds: [seed], endBias: 1 });
  let expected: ReturnType<typeof nextRequest>;
  const counts = { asked: 0, predicted: 0, unpredicted: 0 };
  let hint: (() => SearchHint | undefined) | undefined;
  const watching: HintedModel = {
    vocabularySize: model.vocabularySize,
    startId: model.startId,
    endId,
    padId,
    expect(given) {
      hint = given;
    },
    async step(request: StepRequest) {
      const isExpected = expected?.tokens.join() === [...request.tokens].join();
      const followsExpected = isExpected && expected?.parents.join() === [...request.parents].join();
      if (counts.asked++ > 0) counts[followsExpected ? 'predicted' : 'unpredicted']++;
      const answer = await model.step(request);
      const predicted = hint?.();
      expected = predicted === undefined ? undefined : nextRequest(answer, predicted, counts.asked - 1);
      return answer;
    },
  };
  const [{ hypotheses }] = await search(watching, [{ sourceLength: 9 }], { maxLength: 14, ...options });
  return {
    ...counts,
    isOver: expected === undefined,
    hypotheses,
  };
}

const penalty = fc.constantFrom('none', 'gnmt:0.6', 'gnmt:2', 'gnmt:-0.5', 'average:1', 'average:-1');

describe('the hint', () => {
  it('of greedy and beam search predicts every step', async () => {
    let predicted = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), penalty, fc.integer({ min: 1, max: 4 }), async (seed, lengthPenalty, beam) => {
        const counts = await steps(seed, { beam, lengthPenalty });
        expect(counts.unpredicted).toBe(0);
        predicted += counts.predicted;
      }),
      { numRuns: 200 },
    );
    expect(predicted).toBeGreaterThan(500);
  });

  it('predicts the end of the search', async () => {
    let ended = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), penalty, fc.integer({ min: 2, max: 4 }), async (seed, lengthPenalty, beam) => {
        const { isOver, hypotheses } = await steps(seed, { beam, lengthPenalty });
        expect(isOver).toBe(true);
        if (hypotheses[0].reason === 'end') ended++;
      }),
      { numRuns: 200 },
    );
    expect(ended).toBeGreaterThan(50);
  });

  it('is undefined if hypotheses other than the best are kept', async () => {
    const hints: (SearchHint | undefined)[] = [];
    const model = new HashedModel({ words: 8, seeds: [1] });
    const watching: HintedModel = {
      vocabularySize: model.vocabularySize,
      startId: model.startId,
      endId,
      padId,
      expect: (hint) => hints.push(hint?.()),
      step: (request) => model.step(request),
    };
    await search(watching, [{ sourceLength: 5, forcedPhrases: [[5, 6]] }], { beam: 3, maxLength: 8 });
    expect(new Set(hints)).toEqual(new Set([undefined]));
  });
});
