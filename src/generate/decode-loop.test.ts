// A decode loop prefetches the steps of a batch of one sentence. The results are the same as without it.

import { describe, expect, it } from 'vitest';
import { batchLogits, Transformer, transformerConfig } from '../architectures/index.ts';
import { Random } from '../base/random.ts';
import { type DecodeOptionsInput, type HintedModel, type StepScores, search } from '../decode/index.ts';
import { type Compile, ParameterSet, parametersOf } from '../runtime/index.ts';
import { compile } from '../runtime/node/index.ts';
import { type EngineOptions, GenerationEngine } from './engine.ts';

const vocabulary = { sourceVocabularySize: 19 };
const small = { dModel: 16, heads: 2, dInner: 24, encoderLayers: 2, decoderLayers: 2 };
const variants = [
  {},
  { norm: 'pre', positions: 'rotary', activation: 'swiglu' },
  { positions: 'learned', maxPositions: 64, embeddings: 'separate', dKey: 6, dValue: 5 },
  { decoderMixer: 'gru' },
] as const;
const source = Int32Array.of(5, 6, 7, 8, 2);
const maxLength = 30;

/** An engine, and a count of its decoder's runs. */
function engineOf(variant: (typeof variants)[number], more: Partial<EngineOptions> = {}) {
  const config = transformerConfig({ ...small, ...variant }, vocabulary);
  const logits = batchLogits(new Transformer({ ...config, dropout: 0 }));
  const parameters = ParameterSet.initialize(parametersOf([logits]), 7);
  const counts = { runs: 0 };
  const counting: Compile = async (outputs, options) => {
    const program = await compile(outputs, options);
    const run = program.run.bind(program);
    if ('logProbabilities' in outputs)
      program.run = (feeds) => {
        counts.runs++;
        return run(feeds);
      };
    return program;
  };
  const options = { compile: counting, startId: 1, endId: 2, threads: 1, ...more };
  return { engine: new GenerationEngine({ config, parameters }, options), counts };
}

async function decode(engine: GenerationEngine, options: DecodeOptionsInput, copies = 1) {
  const sources = Array.from({ length: copies }, () => source);
  const model = await engine.start(sources);
  const sentences = sources.map(({ length }) => ({ sourceLength: length }));
  const [result] = await search(model, sentences, { ...options, maxLength, maxLengthExtra: maxLength });
  model.release();
  return result.hypotheses.map(({ tokens, score, logProbabilities }) => ({
    tokens: [...tokens],
    score,
    logProbabilities,
  }));
}

const searches: DecodeOptionsInput[] = [
  { beam: 1 },
  { beam: 1, minLength: 4 },
  { beam: 1, repetitionPenalty: 1.5 },
  { beam: 3, lengthPenalty: 'none' },
  { beam: 3, nBest: 2 },
  { beam: 3, lengthPenalty: 'average:-1' },
  { beam: 3, minLength: 4 },
  { sampling: { seed: 3, topK: 4 } },
];

describe.each(variants)('prefetched steps %j', (variant) => {
  it.each(searches)('give the same results as in a batch: %j', async (options) => {
    const { engine } = engineOf(variant);
    expect(await decode(engine, options)).toEqual(await decode(engine, options, 2)); // bit for bit
    await engine.release();
  });

  it.each([1, 3])('are dropped when a request differs from the prediction, %i hypotheses', async (width) => {
    const { engine } = engineOf(variant);
    const [prefetching, plain] = [await engine.start([source]), await engine.start([source])];
    const random = Random.of(4);
    const rows = Array.from({ length: width }, (_, row) => row);
    const weights = new Float32Array(24).fill(1);
    let tokens = Int32Array.from(rows, () => 1);
    let parents = Int32Array.from(rows, () => 0);
    for (let step = 0; step < 24; step++) {
      const request = {
        sentences: Int32Array.of(0),
        width,
        tokens,
        parents,
        top: random.integer(4) === 0 ? undefined : 5,
      };
      const totals = Float32Array.from(rows, (row) => (step === 0 && row > 0 ? -Infinity : -row));
      const beam = { totals, threshold: -Infinity, endWeights: weights, liveWeights: weights };
      prefetching.expect(() => ({ steps: 24 - step, ...(width === 1 ? {} : { beam }) }));
      const got = await prefetching.step(request);
      const expected = await plain.step(request);
      expect(got).toEqual(expected);
      // Mostly the selection that the search would make.
      const candidates = got.tokens;
      const isPredicted = candidates !== undefined && random.integer(3) > 0;
      const chosen = isPredicted ? choose(got, totals) : rows.map((row) => ({ row, token: 3 + random.integer(16) }));
      tokens = Int32Array.from(chosen, ({ token }) => token);
      parents = Int32Array.from(chosen, ({ row }) => row);
    }
    await engine.release();
  });
});

/** The best candidates by total; without END if there are several hypotheses. */
function choose({ logProbabilities, tokens = new Int32Array() }: StepScores, totals: Float32Array) {
  const width = totals.length;
  const count = tokens.length / width;
  const all = Array.from(tokens, (token, i) => ({ token, row: Math.floor(i / count), total: logProbabilities[i] }));
  return all
    .filter(({ token }) => width === 1 || token !== 2)
    .map(({ total, ...rest }) => ({ ...rest, total: total + totals[rest.row] }))
    .sort((a, b) => b.total - a.total)
    .slice(0, width);
}

describe('runs', () => {
  const runsOf = async (attentionLayer: number | undefined, options: DecodeOptionsInput) => {
    const { engine, counts } = engineOf({}, { attentionLayer });
    const [{ logProbabilities }] = await decode(engine, options);
    await engine.release();
    return { runs: counts.runs, steps: logProbabilities.length };
  };

  it('cover several steps of greedy search each', async () => {
    const { runs, steps } = await runsOf(undefined, { beam: 1 });
    expect(steps).toBeGreaterThan(16);
    // With random weights, PAD or START are sometimes the best tokens, which greedy search must not take.
    expect(runs).toBeLessThan(steps / 2);
  });

  it.each(['none', 'gnmt:1', 'average:-1'])(
    'cover several steps of beam search each, length penalty %s',
    async (lengthPenalty) => {
      const { engine, counts } = engineOf({});
      const model = await engine.start([source]);
      let steps = 0;
      const counted: HintedModel = {
        vocabularySize: 19,
        startId: 1,
        endId: 2,
        padId: 0,
        expect: (hint) => model.expect(hint),
        step(request) {
          steps++;
          return model.step(request);
        },
      };
      await search(counted, [{ sourceLength: source.length }], { beam: 3, lengthPenalty, maxLengthExtra: maxLength });
      expect(steps).toBeGreaterThan(8);
      expect(counts.runs).toBeLessThan((2 * steps) / 3); // PAD and START, see above
      await engine.release();
    },
  );

  it('cover one step each if attention is recorded, and in sampling', async () => {
    const recording = await runsOf(1, { beam: 1 });
    expect(recording.runs).toBe(recording.steps);
    const sampling = await runsOf(undefined, { sampling: { seed: 3, topK: 4 } });
    expect(sampling.runs).toBe(sampling.steps);
  });

  it('are as few after batches, with the same bits', async () => {
    const [fresh, used] = [engineOf({}), engineOf({})];
    await decode(used.engine, { beam: 1 }, 2);
    used.counts.runs = 0;
    const expected = await decode(fresh.engine, { beam: 1 });
    expect(await decode(used.engine, { beam: 1 })).toEqual(expected);
    expect(used.counts.runs).toBe(fresh.counts.runs);
    for (const { engine } of [fresh, used]) await engine.release();
  });
});
