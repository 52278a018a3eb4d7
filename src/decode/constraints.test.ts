import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endId, firstWord, HashedModel } from '../../test/hashed-model.ts';
import { selectByBank } from './constraints.ts';
import { type Candidate, emptyHypothesis } from './hypothesis.ts';
import { decodeOptions } from './options.ts';
import { contains } from './phrases.ts';
import { search } from './search.ts';
import { sentenceTasks } from './sentence.ts';

const words = 12;
const word = fc.integer({ min: firstWord, max: firstWord + words - 1 });
const phrases = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
const seed = fc.integer({ min: 0, max: 1_000_000 });

describe('constrained search', () => {
  it('writes every phrase, even with a beam of 1', async () => {
    await fc.assert(
      fc.asyncProperty(seed, phrases, fc.integer({ min: 1, max: 6 }), async (seed, forcedPhrases, beam) => {
        const model = new HashedModel({ words, seeds: [seed], endBias: 2 });
        const [{ hypotheses }] = await search(model, [{ sourceLength: 4, forcedPhrases }], {
          beam,
          nBest: beam,
          maxLength: 20,
        });
        expect(hypotheses[0].missingPhrases).toEqual([]);
        expect(new Set(hypotheses.map(({ tokens }) => tokens.join(' '))).size).toBe(hypotheses.length);
        for (const { tokens, missingPhrases } of hypotheses)
          for (const [i, phrase] of forcedPhrases.entries())
            expect(contains(tokens, phrase)).toBe(!missingPhrases.includes(i));
      }),
      { numRuns: 100 },
    );
  });
  it('writes them in as many positions as they have tokens if the length limit requires it', async () => {
    await fc.assert(
      fc.asyncProperty(seed, fc.uniqueArray(word, { minLength: 4, maxLength: 4 }), async (seed, [a, b, c, d]) => {
        const model = new HashedModel({ words, seeds: [seed] });
        const forcedPhrases = [[a, b], [c], [d]];
        const [{ hypotheses }] = await search(model, [{ sourceLength: 9, forcedPhrases }], { maxLength: 4 });
        expect(hypotheses[0]).toMatchObject({ missingPhrases: [], reason: 'length', length: 4 });
      }),
      { numRuns: 100 },
    );
  });
  it('reports the phrases for which there was no room', async () => {
    const model = new HashedModel({ words, seeds: [1] });
    const forcedPhrases = [
      [3, 4],
      [5, 6, 7],
    ];
    const [{ hypotheses }] = await search(model, [{ sourceLength: 9, forcedPhrases }], { maxLength: 3, nBest: 4 });
    const missing = hypotheses.map(({ missingPhrases }) => missingPhrases.length);
    expect(missing[0]).toBe(1);
    expect(missing).toEqual(missing.toSorted());
  });
});

describe('selectByBank', () => {
  const [a, b, x] = [3, 4, 9];
  const model = new HashedModel({ words, seeds: [1] });
  const [task] = sentenceTasks(model, [{ sourceLength: 4, forcedPhrases: [[a, b]] }], decodeOptions({ beam: 3 }), []);
  const candidate = (tokens: number[], total: number): Candidate => ({
    parent: { ...emptyHypothesis, tokens: tokens.slice(0, -1) },
    row: 0,
    token: tokens[tokens.length - 1],
    logProbability: -1,
    total,
  });
  const totals = (candidates: readonly Candidate[]): number[] => candidates.map(({ total }) => total);

  it('distributes the beam over the banks in turn, the fullest first', () => {
    const none = [-1, -2, -3].map((total) => candidate([x, x, x], total));
    const begun = [candidate([x, x, a], -8), candidate([x, x, a], -9)];
    const whole = [candidate([a, b, x], -20)];
    expect(totals(selectByBank([...none, ...begun, ...whole], task).continued)).toEqual([-1, -8, -20]);
    expect(totals(selectByBank([...none, ...begun], task).continued)).toEqual([-1, -8, -9]);
    expect(totals(selectByBank(none, task).continued)).toEqual([-1, -2, -3]);
  });
  it('completes hypotheses whose END is among the best of their bank', () => {
    const end = candidate([a, b, endId], -20);
    const better = [-10, -11, -12].map((total) => candidate([a, b, x], total));
    const others = [-1, -2, -3].map((total) => candidate([x, x, x], total));
    expect(totals(selectByBank([...others, end], task).ended)).toEqual([-20]);
    expect(totals(selectByBank([...others, ...better, end], task).ended)).toEqual([]);
  });
});
