import { describe, expect, it } from 'vitest';
import { batchLogits, buildModel } from '../src/architectures/index.ts';
import type { StoredModel } from '../src/model/index.ts';
import {
  evaluate,
  isA,
  namedTensors,
  operators,
  type Tensor,
  topologicalOrder,
  type Value,
} from '../src/tensor/index.ts';
import { arrayValues, type Trace, type TraceOptions, Translator } from '../src/translate/index.ts';
import { architectures, expectClose, model, setup, source, tensorOf, translation, translator } from './trace-model.ts';
import { wordyModel, wordyTokenizer } from './wordy-model.ts';

function recomputed({ config, parameters }: StoredModel, trace: Trace): Map<string, Float64Array> {
  const logits = batchLogits(buildModel(config));
  const names = namedTensors([logits]);
  const weights = parameters.weights();
  const ids = { source: trace.source.tokens, target: trace.target.tokens };
  const leaves = new Map(
    topologicalOrder([logits]).flatMap((node): [Tensor, Value][] => {
      if (isA(node, operators.parameter)) {
        const { name, shape } = node.attributes;
        return [[node, { shape, data: Float64Array.from(weights.get(name) ?? []) }]];
      }
      if (!isA(node, operators.input)) return [];
      const tokens = ids[node.attributes.name as keyof typeof ids];
      return [[node, { shape: [1, tokens.length], data: Float64Array.from(tokens, ({ id }) => id) }]];
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

  it('are ordered by layer as in the paper, or absent', async () => {
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
