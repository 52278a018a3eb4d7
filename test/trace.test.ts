// Traces: every number against a recomputation, every label against the token it belongs to.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantizeModel, type StoredModel } from '../src/model/index.ts';
import { batchInputs, Transformer, type TransformerConfig, withoutDropout } from '../src/nn/index.ts';
import { compile } from '../src/runtime/node.ts';
import {
  evaluate,
  type InputAttributes,
  namedTensors,
  type ParameterAttributes,
  topologicalOrder,
} from '../src/tensor/index.ts';
import { arrayValues, type Trace, type TraceOptions, type TraceTensor, Translator } from '../src/translate/index.ts';
import { smallModel } from './small-model.ts';
import { wordyLines, wordyModel, wordyTokenizer } from './wordy-model.ts';

const setup = { compile, threads: 1 };
const architectures: Record<string, Partial<TransformerConfig>> = {
  paper: { positions: 'interleaved', embeddings: 'tied' },
  'pre-norm, learned positions': { norm: 'pre' },
  'rotary, SwiGLU, other widths': { positions: 'rotary', activation: 'swiglu', dKey: 6, dValue: 5 },
  'no positions, GELU, no biases': {
    positions: 'none',
    activation: 'gelu',
    attentionBias: false,
    embeddings: 'target',
  },
};
const model = wordyModel({ architecture: architectures.paper });
const translator = new Translator(model, setup);
const [source, translation] = ['the cat sat', 'the dog ran to Köln'];

function tensorOf(trace: Trace, name: string): TraceTensor {
  const tensor = trace.tensors?.find((other) => other.name === name);
  if (tensor === undefined) throw new Error(`the trace has no ${name}`);
  return tensor;
}

/** The mean of the heads of [heads, rows, columns], row by row. */
function meanOfHeads({ shape: [heads, rows, columns], ...array }: Trace['attention']['cross'][number]): number[][] {
  const values = arrayValues({ shape: [heads, rows, columns], ...array });
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => {
      let sum = 0;
      for (let head = 0; head < heads; head++) sum += values[(head * rows + i) * columns + j];
      return sum / heads;
    }),
  );
}

/** Relative to the largest entry: float32 against float64. */
function expectClose(got: ArrayLike<number>, expected: ArrayLike<number>, what: string): void {
  expect(got.length, what).toBe(expected.length);
  const largest = Array.from(expected).reduce((most, value) => Math.max(most, Math.abs(value)), 1e-3);
  const worst = Array.from(expected).reduce((most, value, i) => Math.max(most, Math.abs(value - got[i])), 0);
  expect(worst / largest, what).toBeLessThan(2e-5);
}

/** Every named result of a pass, in float64. */
function recomputed({ config, parameters }: StoredModel, trace: Trace): Map<string, Float64Array> {
  const inputs = batchInputs();
  const logits = new Transformer(withoutDropout(config)).apply(inputs.source, inputs.target);
  const names = namedTensors([logits]);
  const weights = parameters.weights();
  const ids = { source: trace.source.tokens, target: trace.target.tokens };
  const leaves = new Map(
    topologicalOrder([logits]).flatMap((node) => {
      if (node.operator.name === 'parameter') {
        const { name, shape } = node.attributes as ParameterAttributes;
        return [[node, { shape, data: Float64Array.from(weights.get(name) ?? []) }] as const];
      }
      if (node.operator.name !== 'input') return [];
      const tokens = ids[(node.attributes as InputAttributes).name as keyof typeof ids];
      return [[node, { shape: [1, tokens.length], data: Float64Array.from(tokens, ({ id }) => id) }] as const];
    }),
  );
  const values = evaluate([...names.values()], leaves);
  return new Map([...names.keys()].map((name, i) => [name, values[i].data]));
}

describe.each(Object.entries(architectures))('a trace (%s)', (_, architecture) => {
  const model = wordyModel({ architecture });
  const translator = new Translator(model, setup);
  const traced = translator.trace(source, { translation, tensors: 'all' });

  it('has every result that the model names, with the numbers of float64', async () => {
    const trace = await traced;
    const expected = recomputed(model, trace);
    expect(trace.tensors?.map(({ name }) => name).toSorted()).toEqual([...expected.keys()].toSorted());
    for (const { name, shape, values } of trace.tensors ?? []) {
      const all = expected.get(name) ?? Float64Array.of();
      const size = shape.reduce((product, dim) => product * dim, 1);
      expect(values.length, name).toBe(size);
      expectClose(values as number[], name === 'logits' ? all.subarray(-size) : all, name);
    }
  });

  it('has the attention of every layer', async () => {
    const { attention, source, target } = await traced;
    const expected = recomputed(model, await traced);
    const [rows, columns] = [target.tokens.length, source.tokens.length];
    const kinds = [
      [attention.encoder, 'encoder', 'selfAttention', [columns, columns]],
      [attention.decoder, 'decoder', 'selfAttention', [rows, rows]],
      [attention.cross, 'decoder', 'crossAttention', [rows, columns]],
    ] as const;
    for (const [layers, stack, sublayer, shape] of kinds) {
      expect(layers).toHaveLength(stack === 'encoder' ? 2 : 3);
      for (const [layer, array] of layers.entries()) {
        const name = `${stack}.layers.${layer}.${sublayer}.weights`;
        expect(array.shape).toEqual([3, ...shape]);
        expectClose(arrayValues(array), expected.get(name) ?? [], name);
      }
    }
  });

  it('has the probabilities of float64, and those that scoring gives', async () => {
    const { target } = await traced;
    const logits = recomputed(model, await traced).get('logits') ?? new Float64Array();
    const [{ logProbabilities }] = await translator.score([{ source, target: translation }]);
    expect(target.predictions).toHaveLength(target.tokens.length);
    for (const [i, { next, best }] of target.predictions.entries()) {
      const row = logits.subarray(i * wordyTokenizer.size, (i + 1) * wordyTokenizer.size);
      const sum = row.reduce((total, logit) => total + Math.exp(logit), 0);
      const order = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, 5);
      expect(next.logProbability).toBeCloseTo(logProbabilities[i], 4);
      expect(best.map(({ id }) => id)).toEqual(order);
      for (const { id, probability, logProbability, logit } of [next, ...best]) {
        expect(probability).toBeCloseTo(Math.exp(row[id]) / sum, 4);
        expect(Math.exp(logProbability)).toBeCloseTo(probability, 12);
        expect(logit).toBeCloseTo(row[id], 3);
      }
    }
  });
});

describe('labels of a trace', () => {
  it('name what is read and what comes next', async () => {
    const { source: from, target } = await translator.trace(source, { translation });
    expect(from.tokens.map(({ piece }) => piece)).toEqual([
      ...wordyTokenizer.pieces(wordyTokenizer.encode(source)),
      '</s>',
    ]);
    expect(target.tokens.map(({ piece }) => piece)).toEqual([
      '<s>',
      ...wordyTokenizer.pieces(wordyTokenizer.encode(translation)),
    ]);
    expect(target.predictions.map(({ next }) => next.piece)).toEqual([
      ...target.tokens.slice(1).map(({ piece }) => piece),
      '</s>',
    ]);
    expect([...from.tokens, ...target.tokens].filter(({ special }) => special).map(({ piece }) => piece)).toEqual([
      '</s>',
      '<s>',
    ]);
    expect([target.text, target.from]).toEqual([translation, 'caller']);
  });

  // tensor2tensor#898: rows labelled by the token predicted, one place off.
  it('are not shifted: in a model whose tokens look at themselves, each row peaks at its own token', async () => {
    const looker = selfSeekingModel();
    const order = ['the cat ran', 'ran the cat'];
    const { attention, ...trace } = await new Translator(looker, setup).trace(order[0], { translation: order[1] });
    const seen = (rows: readonly number[][], tokens: Trace['source']['tokens']) =>
      rows.map((row) => tokens[row.indexOf(Math.max(...row))].piece);
    const pieces = trace.source.tokens.map(({ piece }) => piece);
    expect(seen(meanOfHeads(attention.encoder[0]), trace.source.tokens)).toEqual(pieces);
    expect(seen(meanOfHeads(attention.decoder[0]), trace.target.tokens)).toEqual(
      trace.target.tokens.map(({ piece }) => piece),
    );
    // START has no counterpart in the source.
    const crossed = seen(meanOfHeads(attention.cross[0]).slice(1), trace.source.tokens);
    expect(crossed).toEqual(trace.target.tokens.slice(1).map(({ piece }) => piece));
    expect(crossed).toEqual(['▁ran', '▁the', '▁cat']);
  });

  it('let no position see a later one; every row sums to 1', async () => {
    const { attention } = await translator.trace(source, { translation });
    for (const array of attention.decoder) {
      const [heads, length] = array.shape;
      const values = arrayValues(array);
      for (let head = 0; head < heads; head++)
        for (let i = 0; i < length; i++)
          for (let j = i + 1; j < length; j++) expect(values[(head * length + i) * length + j]).toBe(0);
    }
    for (const array of [...attention.encoder, ...attention.decoder, ...attention.cross]) {
      const [, , columns] = array.shape;
      const values = arrayValues(array);
      for (let start = 0; start < values.length; start += columns)
        expect(values.subarray(start, start + columns).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5);
    }
  });
});

describe('the stages of a trace', () => {
  // Written out again, so that a result under a wrong name is found.
  it('follow from each other by the formulas of the paper', async () => {
    const trace = await translator.trace(source, { translation, tensors: 1 });
    const { dModel, dKey, heads } = model.config;
    const at = (name: string) => arrayValues(tensorOf(trace, name));
    const same = (name: string, expected: (i: number) => number) => {
      const got = at(name);
      expectClose(
        got,
        Float64Array.from({ length: got.length }, (_, i) => expected(i)),
        name,
      );
    };
    for (const stack of ['encoder', 'decoder']) {
      const [rows, scaled, input] = ['embedding', 'scaledEmbedding', 'input'].map((name) => at(`${stack}.${name}`));
      const encoding = at(`${stack}.positions.encoding`);
      same(`${stack}.scaledEmbedding`, (i) => rows[i] * Math.sqrt(dModel));
      same(`${stack}.input`, (i) => scaled[i] + encoding[i]);
      expect(encoding[dModel]).toBeCloseTo(Math.sin(1), 5); // PE(1, 0)
      expect(input).toHaveLength(rows.length);
    }
    for (const place of [
      'encoder.layers.1.selfAttention',
      'decoder.layers.1.selfAttention',
      'decoder.layers.1.crossAttention',
    ]) {
      const [, T, S] = tensorOf(trace, `${place}.scores`).shape;
      const stages = ['queries', 'keys', 'values', 'scores', 'maskedScores', 'weights'];
      const [queries, keys, values, scores, masked, weights] = stages.map((stage) => at(`${place}.${stage}`));
      const sum = (length: number, term: (k: number) => number) =>
        Array.from({ length }, (_, k) => term(k)).reduce((a, b) => a + b, 0);
      same(`${place}.scores`, (i) => {
        const [head, t, s] = [Math.floor(i / (T * S)), Math.floor(i / S) % T, i % S];
        return sum(dKey, (k) => queries[(head * T + t) * dKey + k] * keys[(head * S + s) * dKey + k]) / Math.sqrt(dKey);
      });
      const isHidden = (i: number) => place === 'decoder.layers.1.selfAttention' && i % S > Math.floor(i / S) % T;
      for (const [i, score] of scores.entries())
        if (isHidden(i)) expect(masked[i]).toBeLessThan(-9e8);
        else expect(masked[i]).toBe(score);
      same(`${place}.weights`, (i) => {
        const row = masked.subarray(i - (i % S), i - (i % S) + S);
        return Math.exp(masked[i] - Math.max(...row)) / sum(S, (s) => Math.exp(row[s] - Math.max(...row)));
      });
      same(`${place}.heads`, (i) => {
        const [head, t, k] = [Math.floor(i / (T * dKey)), Math.floor(i / dKey) % T, i % dKey];
        return sum(S, (s) => weights[(head * T + t) * S + s] * values[(head * S + s) * dKey + k]);
      });
      expect(tensorOf(trace, `${place}.heads`).shape).toEqual([heads, T, dKey]);
    }
    const [below, output] = [at('decoder.layers.1.selfAttention.result'), at('decoder.layers.1.crossAttention.output')];
    same('decoder.layers.1.crossAttention.sum', (i) => below[i] + output[i]);
    const inner = at('decoder.layers.1.feedForward.inner');
    same('decoder.layers.1.feedForward.active', (i) => Math.max(0, inner[i]));
    const last = at('decoder.output').subarray(-dModel);
    const embedding = model.parameters.weights().get('embedding.weight') ?? new Float32Array();
    same('logits', (id) => last.reduce((total, value, k) => total + value * embedding[id * dModel + k], 0));
  });

  it('come layer by layer, in the order of the paper, or not at all', async () => {
    const names = async (tensors: TraceOptions['tensors']) =>
      (await translator.trace(source, { translation, tensors })).tensors?.map(({ name }) => name);
    expect(await names('none')).toBeUndefined();
    const second = await names(2);
    expect(
      second?.filter((name) => name.includes('layers')).every((name) => name.startsWith('decoder.layers.2.')),
    ).toBe(true);
    expect(second?.slice(0, 5)).toEqual([
      ...[
        'encoder.embedding',
        'encoder.scaledEmbedding',
        'encoder.positions.encoding',
        'encoder.input',
        'encoder.output',
      ],
    ]);
    expect(second?.at(-1)).toBe('logits');
    const attention = second?.filter((name) => name.startsWith('decoder.layers.2.crossAttention.'));
    expect(attention?.map((name) => name.split('.').at(-1))).toEqual(
      'queries keys values scores maskedScores weights heads output sum result'.split(' '),
    );
  });
});

describe('the model’s own translation', () => {
  const lines = wordyLines(6, 5);

  it.each([undefined, 0, 2])('is traced with the attention of the search (layer %s)', async (attentionLayer) => {
    for (const architecture of [
      architectures.paper,
      architectures['rotary, SwiGLU, other widths'],
      { norm: 'pre' } as const,
    ]) {
      const recording = new Translator(wordyModel({ architecture }), { ...setup, attentionLayer });
      for (const line of lines.slice(0, 3)) {
        const trace = await recording.trace(line, { beam: 3 });
        const [{ translations }] = await recording.translateAll([line], { beam: 3, attention: true });
        const [{ text, tokens, attention = [], logProbabilities }] = translations;
        expect([trace.target.text, trace.target.from]).toEqual([text, 'search']);
        expect(trace.target.tokens.slice(1).map(({ id }) => id)).toEqual(tokens);
        expect(trace.attention.alignmentLayer).toBe(attentionLayer ?? 1);
        const rows = meanOfHeads(trace.attention.cross[trace.attention.alignmentLayer]);
        expect(rows).toHaveLength(attention.length + 1); // the last position expects what comes after
        for (const [i, row] of attention.entries())
          for (const [j, weight] of row.entries()) expect(weight).toBeCloseTo(rows[i][j], 4);
        for (const [i, value] of logProbabilities.entries())
          expect(trace.target.predictions[i].next.logProbability).toBeCloseTo(value, 3);
      }
    }
  });

  it('is searched for with the options of translation', async () => {
    const { target } = await translator.trace(source, { prefix: 'the dog ', beam: 2 });
    expect(target.text.startsWith('the dog ')).toBe(true);
    expect(target.text).toBe(await translator.translate(source, { prefix: 'the dog ', beam: 2 }));
  });

  it('may be given by its ids', async () => {
    const tokens = [...wordyTokenizer.encode(translation)];
    expect(await translator.trace(source, { translation: tokens })).toEqual(
      await translator.trace(source, { translation }),
    );
  });
});

describe('models of every kind', () => {
  it('with int8 weights are traced as they translate', async () => {
    const quantized = new Translator(quantizeModel(model), setup);
    const trace = await quantized.trace('the man had 42 hats', { tensors: 0 });
    const [{ translations }] = await quantized.translateAll(['the man had 42 hats'], { attention: true });
    expect(trace.model.arithmetic).toBe('int8');
    expect(trace.target.text).toBe(translations[0].text);
    const rows = meanOfHeads(trace.attention.cross[trace.attention.alignmentLayer]);
    for (const [i, row] of (translations[0].attention ?? []).entries())
      for (const [j, weight] of row.entries()) expect(weight).toBeCloseTo(rows[i][j], 4);
  });

  it('in training are traced as they are now', async () => {
    const training = wordyModel({ architecture: architectures.paper });
    const fed = new Translator(training, { ...setup, weights: 'fed' });
    const before = await fed.trace(source, { translation });
    expect(before.attention).toEqual((await translator.trace(source, { translation })).attention);
    training.parameters.data.forEach((value, i, data) => {
      data[i] = value * 1.1;
    });
    const now = await fed.trace(source, { translation });
    expect(now).toEqual(await new Translator(training, setup).trace(source, { translation }));
    expect(now.attention).not.toEqual(before.attention);
  });

  it('with target tags show the tag that is read', async () => {
    const tagged = new Translator(smallModel({ languages: ['zh', 'en'] }), setup);
    const { source: read } = await tagged.trace('the cat', { to: 'zh', translation: 'the' });
    expect(read.tokens[0]).toEqual({ id: expect.any(Number), piece: '>>zh<<', special: true });
    expect(read.text).toBe('the cat');
    await expect(tagged.trace('the cat')).rejects.toThrow(
      'translate: to must say which language to translate into: zh or en.',
    );
  });
});

describe('short sources', () => {
  it('of one token have attention like any other', async () => {
    const { source: read, attention } = await translator.trace('a', { translation: 'b' });
    expect(read.tokens.map(({ piece }) => piece)).toEqual([
      ...wordyTokenizer.pieces(wordyTokenizer.encode('a')),
      '</s>',
    ]);
    expect(attention.encoder[0].shape).toEqual([3, read.tokens.length, read.tokens.length]);
  });

  it.each(['', ' ', '\t'])(
    'that are blank (%j) are read as they are, and have an empty translation without a search',
    async (text) => {
      const trace = await translator.trace(text, { search: true });
      expect(trace.source.tokens.at(-1)?.piece).toBe('</s>');
      expect(trace.source.tokens.length).toBe(1 + wordyTokenizer.encode(text).length);
      expect(trace.target.tokens.map(({ piece }) => piece)).toEqual(['<s>']);
      expect(trace.target.predictions.map(({ next }) => next.piece)).toEqual(['</s>']);
      expect([trace.target.text, trace.target.from, trace.search]).toEqual(['', 'search', undefined]);
      expect((await translator.trace(text, { translation, search: true })).target.text).toBe(translation);
    },
  );
});

describe('the format', () => {
  it('is plain JSON, whatever was asked for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          tensors: fc.constantFrom('none' as const, 'all' as const, 1),
          search: fc.boolean(),
          candidates: fc.integer({ min: 1, max: 400 }),
          arrays: fc.constantFrom('numbers' as const, 'base64' as const),
          translation: fc.option(fc.constantFrom('', 'the', translation), { nil: undefined }),
        }),
        async (options) => {
          const trace = await translator.trace(source, options);
          expect(JSON.parse(JSON.stringify(trace))).toStrictEqual(trace);
          expect(trace.target.predictions[0].best).toHaveLength(Math.min(options.candidates, wordyTokenizer.size));
        },
      ),
      { numRuns: 15 },
    );
  });

  it('has the same numbers in both forms of arrays', async () => {
    const [numbers, base64] = await Promise.all([
      translator.trace(source, { translation, tensors: 'all' }),
      translator.trace(source, { translation, tensors: 'all', arrays: 'base64' }),
    ]);
    for (const [i, tensor] of (base64.tensors ?? []).entries()) {
      expect(typeof tensor.values).toBe('string');
      expect(tensor.shape).toEqual(numbers.tensors?.[i].shape);
      const exact = arrayValues(tensor);
      const written = numbers.tensors?.[i].values as readonly number[];
      exact.forEach((value, k) => {
        expect(Math.abs(written[k] - value)).toBeLessThanOrEqual(1e-6 * Math.abs(value));
      });
    }
  });

  it('says which model it is of, without the path to it', async () => {
    const named = new Translator([model], setup, ['/home/ann/models/dates/']);
    const { format, version, model: facts } = await named.trace(source, { translation });
    expect([format, version, facts.name, facts.arithmetic]).toEqual(['heed-trace', 1, 'dates', 'float32']);
    expect([facts.config, facts.parameters]).toEqual([model.config, model.parameters.data.length]);
  });

  it.each<[TraceOptions, string]>([
    [{ tensors: 3 }, 'trace: tensors must be none, all or a layer from 0 to 2, got 3.'],
    [{ tensors: 0.5 }, 'trace: tensors must be none, all or a layer from 0 to 2, got 0.5.'],
    [{ candidates: 0 }, 'trace: candidates must be a whole number of at least 1, got 0.'],
    [JSON.parse('{"arrays":"hex"}'), 'trace: arrays must be numbers or base64, got hex.'],
    [JSON.parse('{"tensor":1}'), 'decode: unknown option tensor'],
    [{ beam: 0 }, 'decode: beam must be a whole number of at least 1, got 0.'],
    [{ translation: [1e6] }, 'tokenizer: ids run from 0'],
  ])('refuses %j', async (options, message) => {
    await expect(translator.trace(source, options)).rejects.toThrow(message);
  });

  it('is of one model', async () => {
    await expect(new Translator([model, model], setup).trace(source)).rejects.toThrow(
      'trace: looks into one model, got an ensemble of 2; load one of them.',
    );
  });

  it('keeps to the table of learned positions', async () => {
    const short = new Translator(wordyModel({ architecture: { positions: 'learned', maxPositions: 8 } }), setup);
    await expect(short.trace('a', { translation: 'cat '.repeat(9) })).rejects.toThrow(
      /^line 1: the target must fit into/,
    );
  });
});

describe('docs/trace.md', () => {
  const page = readFileSync(new URL('../docs/trace.md', import.meta.url), 'utf8');

  it('shows an example with the fields of a real trace', async () => {
    const example: unknown = JSON.parse(page.match(/^```json\n(.*?)^```$/ms)?.[1] ?? '');
    const options = { translation: 'the', beam: 1, lengthPenalty: 'none', tensors: 0, search: true, candidates: 400 };
    expect(fieldsOf(example)).toEqual(fieldsOf(await translator.trace(source, options)));
  });

  it('lists the name of every result', async () => {
    const listed = new Set(
      page.match(/^\| `.*$/gm)?.flatMap((row) => row.split('|')[1].match(/[a-zA-Z]+(?=`)/g) ?? []),
    );
    const swiglu = new Translator(wordyModel({ architecture: { norm: 'pre', activation: 'swiglu' } }), setup);
    const { tensors = [] } = await swiglu.trace(source, { translation, tensors: 'all' });
    for (const { name } of tensors) expect(listed, name).toContain(name.split('.').at(-1));
  });
});

/** The paths of all fields, `target.tokens[].id`; of arrays whatever any entry has. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Array.isArray(value)
    ? value.flatMap((entry) => fieldsOf(entry, `${path}[]`))
    : Object.entries(value).flatMap(([key, entry]) => fieldsOf(entry, `${path}.${key}`));
  return [...new Set(inside)].toSorted();
}

/** Every token looks for itself: queries and keys are the embeddings, attention adds nothing to what passes by it. */
function selfSeekingModel(): StoredModel {
  const seeking = wordyModel({
    architecture: { heads: 1, encoderLayers: 1, decoderLayers: 1, positions: 'none', embeddings: 'tied', dModel: 32 },
  });
  for (const { name, shape, data } of seeking.parameters.parameters) {
    const isSeeker = /Attention\.(query|key)\.weight$/.test(name);
    if (isSeeker)
      data.forEach((_, i) => {
        data[i] = Math.floor(i / shape[1]) === i % shape[1] ? 3 : 0;
      });
    else if (/(value|output)\.(weight|bias)$/.test(name)) data.fill(0);
  }
  return seeking;
}
