// Beam search against exhaustive search: with a beam wide enough to hold every output it must find the best of all outputs,
// under every length penalty and every rule.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endId, everyOutput, firstWord, HashedModel, type Output } from '../../test/hashed-model.ts';
import { type DecodeOptionsInput, decodeOptions } from './options.ts';
import { coveragePenalty, lengthPenalty } from './penalty.ts';
import { contains } from './phrases.ts';
import { search } from './search.ts';
import type { SentenceInput } from './sentence.ts';

const words = 3;
const maxLength = 4;
/** Wider than the candidates of any step: 3³ live hypotheses with 4 tokens each. */
const wide = 128;

const seed = fc.integer({ min: 0, max: 1_000_000 });
const word = fc.integer({ min: firstWord, max: firstWord + words - 1 });
const penalty = fc.constantFrom(
  'none',
  'gnmt:0',
  'gnmt:0.6',
  'gnmt:1',
  'gnmt:2',
  'gnmt:-0.5',
  'average:1',
  'average:-1',
);

interface Truth {
  readonly tokens: readonly number[];
  readonly score: number;
}

/** The outputs that the rules allow, best first, scored independently of the code under test. */
function bestOutputs(
  model: HashedModel,
  options: DecodeOptionsInput,
  { rule = () => true, sentence = 0 }: { rule?: (output: Output) => boolean; sentence?: number },
): Truth[] {
  const { lengthPenalty: kind } = decodeOptions(options);
  const outputs = everyOutput(model, sentence, maxLength).filter(rule);
  const scored = outputs.map(({ tokens, logProbabilities }) => ({
    tokens,
    score: logProbabilities.reduce((a, b) => a + b, 0) / lengthPenalty(kind, logProbabilities.length),
  }));
  return scored.sort((a, b) => b.score - a.score);
}

async function expectExhaustive(
  seed: number,
  options: DecodeOptionsInput,
  { rule, input = {} }: { rule?: (output: Output) => boolean; input?: Partial<SentenceInput> } = {},
): Promise<void> {
  const model = new HashedModel({ words, seeds: [seed] });
  const all = { beam: wide, nBest: 5, maxLength, ...options };
  const [{ hypotheses }] = await search(model, [{ sourceLength: 9, ...input }], all);
  const truth = bestOutputs(model, options, { rule }).slice(0, 5);
  if (truth.length === 0) {
    expect(hypotheses[0].reason).toBe('blocked');
    return;
  }
  expect(hypotheses.map(({ tokens }) => tokens)).toEqual(truth.map(({ tokens }) => tokens));
  for (const [i, { score }] of hypotheses.entries()) expect(score).toBeCloseTo(truth[i].score, 9);
}

const runs = { numRuns: 60 };

describe('a beam wide enough for all outputs', () => {
  it('finds the five best outputs under every length penalty', async () => {
    await fc.assert(
      fc.asyncProperty(seed, penalty, (seed, lengthPenalty) => expectExhaustive(seed, { lengthPenalty })),
      { numRuns: 150 },
    );
  });

  it('finds them under a minimal length', async () => {
    await fc.assert(
      fc.asyncProperty(seed, penalty, fc.integer({ min: 1, max: maxLength }), (seed, lengthPenalty, minLength) =>
        expectExhaustive(seed, { lengthPenalty, minLength }, { rule: ({ tokens }) => tokens.length >= minLength }),
      ),
      runs,
    );
  });

  it('finds them under n-gram blocking', async () => {
    const repeats = (tokens: readonly number[], n: number): boolean => {
      const ngrams = tokens.slice(n - 1).map((_, i) => tokens.slice(i, i + n).join(' '));
      return new Set(ngrams).size < ngrams.length;
    };
    await fc.assert(
      fc.asyncProperty(seed, penalty, fc.integer({ min: 1, max: 3 }), (seed, lengthPenalty, noRepeatNgram) =>
        expectExhaustive(
          seed,
          { lengthPenalty, noRepeatNgram },
          { rule: ({ tokens }) => !repeats(tokens, noRepeatNgram) },
        ),
      ),
      runs,
    );
  });

  it('finds them without banned tokens and phrases', async () => {
    const phrases = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(seed, fc.uniqueArray(word, { maxLength: 2 }), phrases, (seed, bannedTokens, bannedPhrases) => {
        const banned = [...bannedPhrases, ...bannedTokens.map((token) => [token])];
        const rule = ({ tokens }: Output): boolean => !banned.some((phrase) => contains(tokens, phrase));
        return expectExhaustive(seed, { bannedTokens, bannedPhrases }, { rule });
      }),
      runs,
    );
  });

  it('finds them after a prefix', async () => {
    await fc.assert(
      fc.asyncProperty(seed, fc.array(word, { maxLength: maxLength - 1 }), (seed, prefix) => {
        const rule = ({ tokens }: Output): boolean => prefix.every((token, i) => tokens[i] === token);
        return expectExhaustive(seed, {}, { rule, input: { prefix } });
      }),
      runs,
    );
  });

  it('finds them with forced phrases', async () => {
    const phrases = fc.array(fc.array(word, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(seed, phrases, async (seed, forcedPhrases) => {
        const model = new HashedModel({ words, seeds: [seed] });
        const options = { beam: wide, nBest: 1, maxLength };
        const [{ hypotheses }] = await search(model, [{ sourceLength: 9, forcedPhrases }], options);
        const rule = ({ tokens }: Output): boolean => forcedPhrases.every((phrase) => contains(tokens, phrase));
        const [best] = bestOutputs(model, options, { rule });
        expect(hypotheses[0].tokens).toEqual(best.tokens);
        expect(hypotheses[0].missingPhrases).toEqual([]);
      }),
      runs,
    );
  });

  it('finds them under a repetition penalty, summing penalised values', async () => {
    await fc.assert(
      fc.asyncProperty(seed, penalty, fc.constantFrom(0.7, 1.5), async (seed, kind, repetitionPenalty) => {
        const model = new HashedModel({ words, seeds: [seed] });
        const options = { beam: wide, maxLength, lengthPenalty: kind, repetitionPenalty };
        const [{ hypotheses }] = await search(model, [{ sourceLength: 9 }], options);
        const scores = everyOutput(model, 0, maxLength).map(({ tokens, logProbabilities }) => {
          const penalised = logProbabilities.map((p, i) =>
            tokens.slice(0, i).includes(tokens[i]) ? p * repetitionPenalty : p,
          );
          const n = logProbabilities.length;
          return penalised.reduce((a, b) => a + b, 0) / lengthPenalty(decodeOptions(options).lengthPenalty, n);
        });
        expect(hypotheses[0].score).toBeCloseTo(Math.max(...scores), 4);
        const [{ tokens, logProbabilities }] = hypotheses;
        for (const [i, token] of tokens.entries())
          expect(logProbabilities[i]).toBe(model.distribution(0, tokens.slice(0, i))[token]);
      }),
      runs,
    );
  });

  it('finds them under a coverage penalty', async () => {
    await fc.assert(
      fc.asyncProperty(seed, penalty, async (seed, kind) => {
        const model = new HashedModel({ words, seeds: [seed], sourceLengths: [3] });
        const options = { beam: wide, maxLength, lengthPenalty: kind, coveragePenalty: 0.4 };
        const [{ hypotheses }] = await search(model, [{ sourceLength: 3 }], options);
        const scores = everyOutput(model, 0, maxLength).map(({ tokens, logProbabilities }) => {
          const attention = tokens.map((_, i) => Float32Array.from(model.attention(0, tokens.slice(0, i))));
          const lp = lengthPenalty(decodeOptions(options).lengthPenalty, logProbabilities.length);
          return logProbabilities.reduce((a, b) => a + b, 0) / lp + coveragePenalty(0.4, attention, 3);
        });
        expect(hypotheses[0].score).toBeCloseTo(Math.max(...scores), 5);
      }),
      runs,
    );
  });
});

describe('a narrow beam', () => {
  it('gives n-best lists that are sorted, distinct, and scored by the log-probabilities', async () => {
    await fc.assert(
      fc.asyncProperty(seed, penalty, fc.integer({ min: 2, max: 6 }), async (seed, kind, beam) => {
        const model = new HashedModel({ words: 8, seeds: [seed] });
        const [{ hypotheses }] = await search(model, [{ sourceLength: 6 }], {
          beam,
          nBest: beam,
          lengthPenalty: kind,
          maxLength: 12,
        });
        expect(hypotheses.length).toBe(beam);
        expect(new Set(hypotheses.map(({ tokens }) => tokens.join(' '))).size).toBe(beam);
        for (const [i, { tokens, logProbabilities, score, length, reason }] of hypotheses.entries()) {
          if (i > 0) expect(score).toBeLessThanOrEqual(hypotheses[i - 1].score);
          expect(tokens.every((token) => token >= firstWord)).toBe(true);
          expect(length).toBe(tokens.length + (reason === 'end' ? 1 : 0));
          const written = reason === 'end' ? [...tokens, endId] : tokens;
          const expected = written.map((token, t) => model.distribution(0, tokens.slice(0, t))[token]);
          expect(logProbabilities).toEqual(expected);
          const lp = lengthPenalty(decodeOptions({ lengthPenalty: kind }).lengthPenalty, length);
          expect(score).toBeCloseTo(expected.reduce((a, b) => a + b, 0) / lp, 9);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('never stops too early: requesting more hypotheses changes none of the first ones', async () => {
    let stepsSaved = 0;
    await fc.assert(
      fc.asyncProperty(seed, penalty, fc.integer({ min: 2, max: 6 }), async (seed, lengthPenalty, beam) => {
        const run = async (nBest: number) => {
          const model = new HashedModel({ words: 8, seeds: [seed], endBias: 2 });
          const [{ hypotheses }] = await search(model, [{ sourceLength: 9 }], {
            beam,
            nBest,
            lengthPenalty,
            maxLength: 20,
          });
          return { hypotheses, steps: model.requests.length };
        };
        const all = await run(beam);
        const one = await run(1);
        expect(one.hypotheses).toEqual(all.hypotheses.slice(0, 1));
        stepsSaved += all.steps - one.steps;
      }),
      { numRuns: 150 },
    );
    expect(stepsSaved).toBeGreaterThan(0);
  });

  it('continues under a negative alpha while the next END could win', async () => {
    const model = new HashedModel({ words: 1, seeds: [1] });
    // END at once has 0.3 · 1; the word and then END have 0.69 and, nearly surely, the better score: 2 · ln 0.69 > ln 0.3.
    model.distribution = (_, history) =>
      Float32Array.from(history.length === 0 ? [0, 0, 0.3, 0.69] : [0, 0, 0.999, 0.001], Math.log);
    const [{ hypotheses }] = await search(model, [{ sourceLength: 9 }], { beam: 2, lengthPenalty: 'average:-1' });
    expect(hypotheses[0]).toMatchObject({ tokens: [firstWord], reason: 'end' });
  });

  it('stops as soon as no live hypothesis can win', async () => {
    // After the first word END has nearly all probability.
    const model = new HashedModel({ words: 5, seeds: [3], endBias: 12 });
    const [{ hypotheses }] = await search(model, [{ sourceLength: 5 }], { beam: 4, minLength: 1 });
    expect(hypotheses[0].tokens).toHaveLength(1);
    expect(model.requests.length).toBeLessThan(10);
  });

  it('cuts at the maximal length', async () => {
    const model = new HashedModel({ words: 5, seeds: [1], endBias: -50 });
    const [{ hypotheses }] = await search(model, [{ sourceLength: 2 }], { maxLengthExtra: 3, beam: 3, nBest: 2 });
    expect(hypotheses.map(({ reason, length }) => [reason, length])).toEqual([
      ['length', 5],
      ['length', 5],
    ]);
    expect(model.requests).toHaveLength(5);
  });
});
