import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HashedModel } from '../../test/hashed-model.ts';
import { ensemble } from './ensemble.ts';
import type { DecodeOptionsInput } from './options.ts';
import { search } from './search.ts';
import type { StepRequest } from './step.ts';

const words = 20;
const member = (seed: number, sourceLengths?: number[]) =>
  new HashedModel({ words, seeds: [seed, seed + 1], sourceLengths });
const inputs = [{ sourceLength: 3 }, { sourceLength: 5 }];
const request = (top?: number): StepRequest => ({
  sentences: Int32Array.of(0),
  width: 1,
  tokens: Int32Array.of(1),
  parents: Int32Array.of(0),
  top,
});

describe('ensemble', () => {
  it.each<[string, DecodeOptionsInput]>([
    ['beam search', { nBest: 4 }],
    ['sampling', { sampling: {} }],
    ['rules', { minLength: 3, noRepeatNgram: 2 }],
  ])('of three copies of a model equals the model, in %s', async (_, options) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000_000), async (seed) => {
        const alone = await search(member(seed), inputs, options);
        expect(await search(ensemble([member(seed), member(seed), member(seed)]), inputs, options)).toEqual(alone);
      }),
      { numRuns: 15 },
    );
  });

  it('gives the mean of the probabilities', async () => {
    const [a, b] = [member(1), member(9)];
    const { logProbabilities } = await ensemble([a, b]).step(request());
    const [p, q] = [a.distribution(0, []), b.distribution(0, [])];
    for (const [token, logProbability] of logProbabilities.entries())
      expect(Math.exp(logProbability)).toBeCloseTo((Math.exp(p[token]) + Math.exp(q[token])) / 2, 6);
  });
  it('gives the best tokens by the mean, not by the members', async () => {
    const whole = await ensemble([member(1), member(9)]).step(request());
    const best = await ensemble([member(1), member(9)]).step(request(5));
    const sorted = [...whole.logProbabilities].sort((a, b) => b - a).slice(0, 5);
    expect([...best.logProbabilities]).toEqual(sorted);
    expect([...(best.tokens ?? [])].map((token) => whole.logProbabilities[token])).toEqual(sorted);
  });
  it('keeps −Infinity where all members have it', async () => {
    const impossible = (seed: number) => {
      const model = member(seed);
      const distribution = model.distribution.bind(model);
      model.distribution = (...at) => distribution(...at).fill(-Infinity, 3, 5);
      return model;
    };
    const both = await ensemble([impossible(1), impossible(2)]).step(request());
    expect([...both.logProbabilities.slice(3, 5)]).toEqual([-Infinity, -Infinity]);
    const one = await ensemble([impossible(1), member(2)]).step(request());
    expect(one.logProbabilities[3]).toBeCloseTo(member(2).distribution(0, [])[3] - Math.log(2), 5);
  });
  it('averages attention if all members record it', async () => {
    const [a, b] = [member(1, [3, 5]), member(9, [3, 5])];
    const { attention } = await ensemble([a, b]).step(request());
    const expected = a.attention(0, []).map((weight, j) => (weight + b.attention(0, [])[j]) / 2);
    for (const [j, weight] of expected.entries()) expect(attention?.[j]).toBeCloseTo(weight, 6);
    expect((await ensemble([member(1), member(9, [3, 5])]).step(request())).attention).toBeUndefined();
  });

  it('names the step at which one of them gave NaN', async () => {
    const broken = member(1);
    const distribution = broken.distribution.bind(broken);
    broken.distribution = (sentence, history) =>
      history.length === 1 ? distribution(sentence, history).fill(Number.NaN) : distribution(sentence, history);
    await expect(search(ensemble([member(2), broken]), inputs, { beam: 2, minLength: 3 })).rejects.toThrow(
      'decode: step 1: the model must give log-probabilities, got NaN in row 0',
    );
  });
  it('refuses models that do not fit together, and an empty list', () => {
    expect(() => ensemble([])).toThrow('ensemble: needs at least one model, got none.');
    const other = new HashedModel({ words: 7, seeds: [1] });
    expect(() => ensemble([member(1), other])).toThrow(
      'ensemble: all models must have the same vocabularySize, got 23 in model 0 and 10 in model 1.',
    );
  });
});
