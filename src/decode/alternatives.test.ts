import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endId, firstWord, HashedModel } from '../../test/hashed-model.ts';
import { search } from './search.ts';

const words = 8;
const seed = fc.integer({ min: 0, max: 1_000_000 });
const prefix = fc.array(fc.integer({ min: firstWord, max: firstWord + words - 1 }), { maxLength: 3 });

describe('alternatives', () => {
  it('are the most probable tokens after the prefix, each completed by a search with that prefix', async () => {
    await fc.assert(
      fc.asyncProperty(seed, prefix, fc.integer({ min: 1, max: 3 }), async (seed, prefix, beam) => {
        const model = () => new HashedModel({ words, seeds: [seed] });
        const options = { beam, maxLength: 8 };
        const all = { ...options, alternatives: true, nBest: 4 };
        const [{ hypotheses }] = await search(model(), [{ sourceLength: 9, prefix }], all);
        const distribution = model().distribution(0, prefix);
        const allowed = [endId, ...Array.from({ length: words }, (_, i) => firstWord + i)];
        const best = allowed.sort((a, b) => distribution[b] - distribution[a]).slice(0, 4);
        const expected = await Promise.all(
          best
            .filter((token) => token !== endId)
            .map(async (token) => {
              const inputs = [{ sourceLength: 9, prefix: [...prefix, token] }];
              return (await search(model(), inputs, options))[0].hypotheses[0];
            }),
        );
        const longer = hypotheses.filter(({ tokens }) => tokens.length > prefix.length);
        expect(longer).toEqual(expected.sort((a, b) => b.score - a.score));
        const ended = hypotheses.filter(({ tokens }) => tokens.length === prefix.length);
        expect(ended.map(({ reason }) => reason)).toEqual(best.includes(endId) ? ['end'] : []);
      }),
      { numRuns: 60 },
    );
  });
  it('are fewer if fewer tokens are allowed', async () => {
    const model = new HashedModel({ words: 2, seeds: [1] });
    const [{ hypotheses }] = await search(model, [{ sourceLength: 9 }], { alternatives: true, nBest: 5, maxLength: 3 });
    expect(hypotheses).toHaveLength(3);
  });
  it('return the prefix alone if the model gives it probability 0', async () => {
    const model = new HashedModel({ words, seeds: [1] });
    const distribution = model.distribution.bind(model);
    model.distribution = (sentence, history) => {
      const row = distribution(sentence, history);
      if (history.length === 1) row[4] = -Infinity;
      return row;
    };
    const [{ hypotheses }] = await search(model, [{ sourceLength: 9, prefix: [3, 4] }], {
      alternatives: true,
      nBest: 3,
    });
    expect(hypotheses).toMatchObject([{ tokens: [3], reason: 'blocked' }]);
  });
});
