// Properties of search() as a whole: the same result whatever shares the batch, however many candidates the model
// gives, however the result is asked for.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { endId, firstWord, HashedModel, type HashedModelOptions } from '../../test/hashed-model.ts';
import { BeamSearch } from './beam-search.ts';
import { type DecodeOptionsInput, decodeOptions } from './options.ts';
import { runSearches } from './run-searches.ts';
import { type SearchControl, search } from './search.ts';
import { type SentenceInput, sentenceTasks } from './sentence.ts';
import type { StepModel } from './step.ts';

const seed = fc.integer({ min: 0, max: 1_000_000 });
const words = 6;
const word = fc.integer({ min: firstWord, max: firstWord + words - 1 });

/** A sentence with its own model seed. */
interface Sentence {
  readonly seed: number;
  readonly input: SentenceInput;
}

const sentence: fc.Arbitrary<Sentence> = fc.record({
  seed,
  input: fc.record(
    {
      sourceLength: fc.integer({ min: 0, max: 6 }),
      prefix: fc.array(word, { maxLength: 3 }),
      number: fc.integer({ min: 0, max: 99 }),
    },
    { requiredKeys: ['sourceLength', 'number'] },
  ),
});
const glossary = fc.array(fc.array(word, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 });

const ways: Record<string, DecodeOptionsInput> = {
  greedy: { beam: 1 },
  'beam 3': { beam: 3, nBest: 3 },
  'beam 3, negative alpha': { beam: 3, lengthPenalty: 'gnmt:-0.5' },
  'beam 2 with rules': {
    beam: 2,
    noRepeatNgram: 2,
    minLength: 2,
    repetitionPenalty: 1.3,
    bannedPhrases: [[3, 4, 3]],
  },
  'beam 2 with coverage': { beam: 2, coveragePenalty: 0.2 },
  alternatives: { beam: 2, nBest: 3, alternatives: true },
  sampling: { sampling: { seed: 5 }, nBest: 2 },
  'top-k sampling': { sampling: { seed: 5, topK: 3, temperature: 0.8 }, nBest: 2 },
  'top-p sampling': { sampling: { seed: 5, topP: 0.8 } },
};

async function run(
  sentences: readonly Sentence[],
  options: DecodeOptionsInput,
  more: Partial<HashedModelOptions> = {},
) {
  const model = new HashedModel({
    words,
    seeds: sentences.map(({ seed }) => seed),
    sourceLengths: sentences.map(({ input }) => input.sourceLength),
    ...more,
  });
  const results = await search(
    model,
    sentences.map(({ input }) => input),
    { maxLengthExtra: 5, ...options },
  );
  return { model, results };
}

describe.each(Object.entries(ways))('%s', (_, options) => {
  it('gives each sentence the same result in any batch and order', async () => {
    const isBeam = options.sampling === undefined;
    const withGlossary = fc
      .tuple(sentence, fc.option(glossary, { nil: undefined }))
      .map(([sentence, forcedPhrases]) => ({
        ...sentence,
        input: isBeam ? { ...sentence.input, forcedPhrases } : sentence.input,
      }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(withGlossary, { minLength: 2, maxLength: 5 }),
        fc.boolean(),
        async (sentences, hasTies) => {
          const { results } = await run(sentences, options, { hasTies });
          const reversed = await run(sentences.toReversed(), options, { hasTies });
          expect(reversed.results.toReversed()).toEqual(results);
          for (const [i, sentence] of sentences.entries())
            expect((await run([sentence], options, { hasTies })).results[0]).toEqual(results[i]);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('gives the same from the best few tokens as from whole rows', async () => {
    // A banned phrase that never occurs makes the search request whole rows.
    const noop = new Array<number>(50).fill(firstWord);
    const whole = { ...options, bannedPhrases: [...(options.bannedPhrases ?? []), noop] };
    const more = { words: 20 };
    await fc.assert(
      fc.asyncProperty(fc.array(sentence, { minLength: 1, maxLength: 3 }), fc.boolean(), async (sentences, hasTies) => {
        const fast = await run(sentences, options, { ...more, hasTies });
        const slow = await run(sentences, whole, { ...more, hasTies });
        expect(slow.model.requests.every(({ top }) => top === undefined)).toBe(true);
        expect(fast.results).toEqual(slow.results);
      }),
      { numRuns: 25 },
    );
  });

  it('never emits control tokens or banned ones, however probable', async () => {
    const control: SearchControl = { controlTokens: [firstWord, endId] };
    await fc.assert(
      fc.asyncProperty(seed, async (seed) => {
        const model = new HashedModel({ words: 20, seeds: [seed], sourceLengths: [4] });
        const [{ hypotheses }] = await search(
          model,
          [{ sourceLength: 4 }],
          { bannedTokens: [5, 7], ...options },
          control,
        );
        for (const { tokens } of hypotheses)
          for (const token of tokens) expect([firstWord, 5, 7].includes(token) || token < firstWord).toBe(false);
      }),
      { numRuns: 25 },
    );
  });

  it('ends if everything is banned', async () => {
    const everyWord = Array.from({ length: words }, (_, i) => firstWord + i);
    const { results } = await run([{ seed: 1, input: { sourceLength: 2 } }], {
      ...options,
      bannedTokens: everyWord,
      minLength: 1,
    });
    expect(results[0].hypotheses.length).toBeGreaterThan(0);
    for (const hypothesis of results[0].hypotheses) {
      expect(hypothesis).toMatchObject({ tokens: [], reason: 'blocked', length: 0 });
      expect(Number.isFinite(hypothesis.score)).toBe(true);
    }
  });

  it('does not compute finished sentences', async () => {
    const sentences = [1, 2, 3, 4].map((seed, i) => ({ seed, input: { sourceLength: i } }));
    const { model } = await run(sentences, options, { endBias: -9 });
    const computed = sentences.map((_, i) => model.requests.filter(({ sentences }) => sentences.includes(i)).length);
    expect(computed).toEqual([5, 6, 7, 8]);
  });

  it('stops within one step once the signal aborts', async () => {
    const abort = new AbortController();
    const model = new HashedModel({ words, seeds: [1], endBias: -50, sourceLengths: [9] });
    const step = model.step.bind(model);
    model.step = async (request) => {
      if (model.requests.length === 2) abort.abort(new Error('enough'));
      return step(request);
    };
    await expect(search(model, [{ sourceLength: 9 }], options, { signal: abort.signal })).rejects.toThrow('enough');
    expect(model.requests).toHaveLength(3);
  });

  it('names the step at which the model gave NaN', async () => {
    const model = new HashedModel({ words, seeds: [1], endBias: -50, sourceLengths: [9] });
    const step = model.step.bind(model);
    model.step = async (request) => {
      const scores = await step(request);
      if (model.requests.length === 3) scores.logProbabilities[1] = Number.NaN;
      return scores;
    };
    await expect(search(model, [{ sourceLength: 9 }], options)).rejects.toThrow('decode: step 2: the model must give');
  });

  it("keeps the attention that predicted each token, over the sentence's own source", async () => {
    const sentences = [2, 5].map((sourceLength) => ({ seed: sourceLength, input: { sourceLength } }));
    const { model, results } = await run(sentences, options);
    for (const [i, { hypotheses }] of results.entries())
      for (const { tokens, attention } of hypotheses) {
        const expected = tokens.map((_, t) =>
          model.attention(i, tokens.slice(0, t)).slice(0, sentences[i].input.sourceLength),
        );
        expect(attention).toEqual(expected.map((row) => Float32Array.from(row)));
      }
  });
});

describe('greedy search', () => {
  it('equals beam search of width 1 under every length penalty', async () => {
    const penalty = fc.constantFrom('none', 'gnmt:0.6', 'gnmt:-0.5', 'average:1');
    await fc.assert(
      fc.asyncProperty(
        fc.array(sentence, { minLength: 1, maxLength: 4 }),
        penalty,
        async (sentences, lengthPenalty) => {
          const options = decodeOptions({ beam: 1, maxLengthExtra: 8, lengthPenalty });
          const { model, results } = await run(sentences, options);
          const again = new HashedModel(model.options);
          const inputs = sentences.map(({ input }) => input);
          const beams = sentenceTasks(again, inputs, options, []).map((task) => new BeamSearch(task, { nBest: 1 }));
          await runSearches(again, beams, { width: 1 });
          expect(beams.map((beam) => ({ hypotheses: beam.results }))).toEqual(results);
        },
      ),
      { numRuns: 60 },
    );
  });
  it('takes the most probable word at every step', async () => {
    const { model, results } = await run([{ seed: 4, input: { sourceLength: 6 } }], { beam: 1 }, { endBias: -50 });
    const { tokens } = results[0].hypotheses[0];
    expect(tokens).toHaveLength(11);
    for (const [t, token] of tokens.entries()) {
      const distribution = model.distribution(0, tokens.slice(0, t));
      expect(distribution[token]).toBe(Math.max(...distribution.slice(firstWord)));
    }
  });
});

describe('onToken', () => {
  it.each<[string, DecodeOptionsInput]>([
    ['greedy search', { beam: 1 }],
    ['sampling', { sampling: { seed: 2 }, nBest: 3 }],
  ])('reports in %s every token of the result as soon as it is written', async (_, options) => {
    const model = new HashedModel({ words, seeds: [1, 2, 3] });
    const written = new Map<string, { tokens: number[]; logProbabilities: number[] }>();
    const onToken = vi.fn(({ sentence, sample, position, token, logProbability }) => {
      const path = written.get(`${sentence}/${sample}`) ?? { tokens: [], logProbabilities: [] };
      expect(position).toBe(path.tokens.length);
      expect(position).toBe(model.requests.length - 1);
      path.tokens.push(token);
      path.logProbabilities.push(logProbability);
      written.set(`${sentence}/${sample}`, path);
    });
    const inputs = [3, 4, 5].map((sourceLength) => ({ sourceLength }));
    const results = await search(model, inputs, { maxLengthExtra: 4, ...options }, { onToken });
    for (const [sentence, { hypotheses }] of results.entries()) {
      const paths = [...written]
        .filter(([key]) => key.startsWith(`${sentence}/`))
        .map(([, path]) => path.tokens.join(' '));
      const expected = hypotheses.map(({ tokens }) => tokens.join(' ')).filter((text) => text !== '');
      expect(paths.sort()).toEqual(expected.sort());
    }
    expect(onToken).toHaveBeenCalled();
  });
  it('is not called after the signal has aborted', async () => {
    const abort = new AbortController();
    const model = new HashedModel({ words, seeds: [1], endBias: -50 });
    const step = model.step.bind(model);
    model.step = (request) => {
      if (model.requests.length === 2) abort.abort();
      return step(request);
    };
    const onToken = vi.fn();
    const decoding = search(model, [{ sourceLength: 9 }], { beam: 1 }, { signal: abort.signal, onToken });
    await expect(decoding).rejects.toThrow('aborted');
    expect(onToken).toHaveBeenCalledTimes(2);
  });
  it('is refused by a beam, which revises its tokens', async () => {
    const model = new HashedModel({ words, seeds: [1] });
    await expect(search(model, [{ sourceLength: 1 }], { beam: 2 }, { onToken: () => {} })).rejects.toThrow(
      'decode: onToken needs greedy search or sampling, since a beam revises its tokens; set beam 1.',
    );
  });
});

describe('sampling', () => {
  const draw = async (seed: number, number: number | undefined, nBest = 1, more: DecodeOptionsInput = {}) => {
    const model = new HashedModel({ words, seeds: [7], endBias: -2 });
    const [{ hypotheses }] = await search(model, [{ sourceLength: 6, number }], { sampling: { seed }, nBest, ...more });
    return hypotheses;
  };
  it('is determined by seed and sentence number, and differs for others', async () => {
    expect(await draw(1, 5)).toEqual(await draw(1, 5));
    expect(await draw(1, 0)).toEqual(await draw(1, undefined));
    expect(await draw(1, 6)).not.toEqual(await draw(1, 5));
    expect(await draw(2, 5)).not.toEqual(await draw(1, 5));
  });
  it('draws nBest independent samples, best first', async () => {
    const samples = await draw(1, 0, 6);
    expect(samples).toHaveLength(6);
    expect(new Set(samples.map(({ tokens }) => tokens.join(' '))).size).toBe(6);
    const scores = samples.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
  it('drops duplicate samples if they must be distinct', async () => {
    const short = { maxLength: 1 };
    expect(await draw(1, 0, 30, short)).toHaveLength(30);
    const distinct = await draw(1, 0, 30, { ...short, distinct: true });
    expect(new Set(distinct.map(({ tokens }) => tokens.join(' '))).size).toBe(distinct.length);
    expect(distinct.length).toBeLessThanOrEqual(words + 1);
  });
});

describe('distinct', () => {
  it('keeps the best of hypotheses that distinctBy makes equal', async () => {
    const sentences = [{ sourceLength: 6 }];
    const distinctBy = (tokens: readonly number[]): string => String(tokens.length);
    const model = () => new HashedModel({ words, seeds: [3], endBias: 1 });
    const options = { beam: 6, nBest: 6, maxLength: 8 };
    const [all] = await search(model(), sentences, options);
    const [distinct] = await search(model(), sentences, { ...options, distinct: true }, { distinctBy });
    const lengths = distinct.hypotheses.map(({ tokens }) => tokens.length);
    expect(new Set(lengths).size).toBe(lengths.length);
    expect(new Set(all.hypotheses.map(({ tokens }) => tokens.length)).size).toBeLessThan(all.hypotheses.length);
    expect(distinct.hypotheses[0]).toEqual(all.hypotheses[0]);
  });
});

describe('requests', () => {
  const topOf = async (
    options: DecodeOptionsInput,
    control: SearchControl = {},
    input: Partial<SentenceInput> = {},
  ) => {
    const model = new HashedModel({ words: 20, seeds: [1], endBias: -9 });
    await search(model, [{ sourceLength: 1, ...input }], { maxLengthExtra: 3, ...options }, control);
    return model.requests.map(({ top }) => top);
  };
  it('ask for the fewest tokens that suffice: the beam, END, and suppressed tokens', async () => {
    expect(await topOf({ beam: 4 })).toEqual([7, 7, 7, 7]);
    expect(await topOf({ beam: 1 })).toEqual([3, 3, 3, 3]);
    expect(await topOf({ beam: 4, bannedTokens: [5] }, { controlTokens: [4] })).toEqual([9, 9, 9, 9]);
    expect(await topOf({ sampling: { topK: 5 } })).toEqual([7, 7, 7, 7]);
    expect(await topOf({ alternatives: true, beam: 1, nBest: 6 })).toEqual([8, 8, 8, 8]);
  });
  it('ask for whole rows only if a rule needs them', async () => {
    expect(await topOf({ beam: 4, minLength: 2 })).toEqual([undefined, undefined, 7, 7]);
    expect(await topOf({ beam: 4 }, {}, { prefix: [5] })).toEqual([undefined, 7, 7, 7]);
    expect(await topOf({ sampling: {} })).toEqual([undefined, undefined, undefined, undefined]);
    expect(await topOf({ beam: 21 })).toEqual([undefined, undefined, undefined, undefined]);
  });
  it('are none without sentences', async () => {
    const model = new HashedModel({ words, seeds: [] });
    expect(await search(model, [])).toEqual([]);
    expect(model.requests).toEqual([]);
  });
  it('repeat a live hypothesis in rows without one', async () => {
    const model = new HashedModel({ words: 2, seeds: [1], endBias: -9 });
    await search(model, [{ sourceLength: 1 }], { beam: 4, maxLengthExtra: 1 });
    expect([...model.requests[1].tokens.slice(0, 2)].sort()).toEqual([firstWord, firstWord + 1]);
    expect(model.requests[1].tokens[2]).toBe(model.requests[1].tokens[0]);
    expect(model.requests[1].tokens[3]).toBe(model.requests[1].tokens[0]);
  });
});

describe('search', () => {
  it('can end if START equals END, as in some models', async () => {
    const model = new HashedModel({ words, seeds: [1], endBias: 3 });
    const asStart: StepModel = {
      vocabularySize: model.vocabularySize,
      startId: endId,
      endId,
      padId: endId,
      step: (request) =>
        model.step(
          model.requests.length > 0 ? request : { ...request, tokens: request.tokens.map(() => model.startId) },
        ),
    };
    const [{ hypotheses }] = await search(asStart, [{ sourceLength: 5 }], { bannedTokens: [0, 1] });
    expect(hypotheses[0].reason).toBe('end');
  });
  it('does not start after the signal has aborted', async () => {
    const model = new HashedModel({ words, seeds: [1] });
    await expect(search(model, [{ sourceLength: 1 }], {}, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(model.requests).toEqual([]);
  });
  it('refuses unknown options', async () => {
    const options: DecodeOptionsInput = JSON.parse('{"numBeams": 4}');
    await expect(search(new HashedModel({ words, seeds: [1] }), [{ sourceLength: 1 }], options)).rejects.toThrow(
      'decode: unknown option numBeams',
    );
  });
  it('refuses a coverage penalty without attention', async () => {
    const model = new HashedModel({ words, seeds: [1] });
    await expect(search(model, [{ sourceLength: 1 }], { coveragePenalty: 0.2 })).rejects.toThrow(
      'decode: coveragePenalty needs recorded attention; have the model record it, or set it to 0.',
    );
  });
  it('refuses a source length beyond the model’s source positions', async () => {
    const model = new HashedModel({ words, seeds: [1], sourceLengths: [3] });
    await expect(search(model, [{ sourceLength: 4 }])).rejects.toThrow(
      "decode: sentences[0].sourceLength must be within the model's 3 source positions, got 4.",
    );
  });
});
