// The whole model against PyTorch: logits, loss, every gradient, a trace and ten Adam steps (tools/golden/transformer.py).

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildModel, transformerConfig, transformerOptions, type Vocabulary } from '../src/architectures/index.ts';
import { Random } from '../src/base/random.ts';
import { ParameterSet, type Values } from '../src/runtime/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { modelGraph } from '../src/tasks/index.ts';
import { namedTensors } from '../src/tensor/index.ts';
import { Adam, type TrainingBatch, TrainingStep } from '../src/train/index.ts';

interface GoldenArray {
  shape: number[];
  values: number[];
}

interface Golden {
  config: Record<string, unknown> & Required<Vocabulary>;
  inputs: { source: number[][]; targetInput: number[][]; expected: number[][] };
  labelSmoothing: number;
  loss: number;
  logits: GoldenArray;
  intermediates: Record<string, GoldenArray>;
  parameters: Record<string, GoldenArray>;
  gradients: Record<string, GoldenArray>;
  adam: { learningRates: number[]; losses: number[] };
}

const names = [
  'paper',
  'pre-norm',
  'concatenated-separate',
  'learned-gelu',
  'rotary-swiglu',
  'no-attention-bias',
  'target-tied',
  'empty-source',
];

describe.each(names)('%s', (name) => {
  const golden: Golden = JSON.parse(readFileSync(new URL(`golden/transformer-${name}.json`, import.meta.url), 'utf8'));
  const { sourceVocabularySize, targetVocabularySize, sourcePadId, targetPadId, ...chosen } = golden.config;
  const vocabulary = { sourceVocabularySize, targetVocabularySize, sourcePadId, targetPadId };
  const options = Object.fromEntries(Object.entries(chosen).filter(([key]) => key in transformerOptions.shape));
  const config = transformerConfig({ ...options, dropout: 0 }, vocabulary);
  const batch = batchOf(golden);

  it('has the same logits, loss and intermediate results', async () => {
    const graph = modelGraph(buildModel(config, { dropout: true }), golden.labelSmoothing);
    const seen = namedTensors([graph.logits]);
    const outputs = { loss: graph.loss.total, logits: graph.logits, ...pick(seen, Object.keys(golden.intermediates)) };
    const program = await compile(outputs);
    const parameters = goldenParameters(golden, ParameterSet.initialize(graph.parameters, 1));
    const feeds = new Map<string, Values>(parameters.parameters.map((parameter) => [parameter.name, parameter]));
    for (const [key, values] of [...batch.inputs, ['expected', batch.expected] as const]) feeds.set(key, values);
    const results = await program.run(feeds);
    expect(results.loss.data[0] / batch.targetTokens).toBeCloseTo(golden.loss, 5);
    expectClose(results.logits.data, golden.logits.values, 'logits');
    for (const [key, { values }] of Object.entries(golden.intermediates)) expectClose(results[key].data, values, key);
  });

  it('has every gradient and the losses of ten Adam steps', async () => {
    const step = await TrainingStep.compile(
      compile,
      modelGraph(buildModel(config, { dropout: true }), golden.labelSmoothing),
      { seed: 1 },
    );
    goldenParameters(golden, step.parameters);
    const adam = new Adam(step.parameters);
    for (const [i, expected] of golden.adam.losses.entries()) {
      const { loss, gradients } = await step.run(batch, Random.of(1));
      expect(Math.abs(loss / batch.targetTokens / expected - 1), `loss of step ${i}`).toBeLessThan(1e-4);
      if (i === 0) {
        step.parameters.parameters.forEach((parameter, k) => {
          const scaled = gradients[k].map((value) => value / batch.targetTokens);
          expectClose(scaled, golden.gradients[parameter.name].values, parameter.name);
        });
      }
      if (i < golden.adam.learningRates.length) {
        await adam.update(i + 1, golden.adam.learningRates[i], gradients, 1 / batch.targetTokens);
      }
    }
  });
});

function batchOf({ inputs, config: { targetPadId } }: Golden): TrainingBatch {
  const array = (rows: number[][]) => ({ shape: [rows.length, rows[0].length], data: Int32Array.from(rows.flat()) });
  return {
    inputs: new Map([
      ['source', array(inputs.source)],
      ['target', array(inputs.targetInput)],
    ]),
    expected: array(inputs.expected),
    targetTokens: inputs.expected.flat().filter((id) => id !== targetPadId).length,
  };
}

function goldenParameters(golden: Golden, set: ParameterSet): ParameterSet {
  const arrays = Object.entries(golden.parameters).map(
    ([name, { shape, values }]) => [name, { shape, data: Float32Array.from(values) }] as const,
  );
  set.assign(new Map(arrays), 'golden');
  return set;
}

function pick<T>(map: ReadonlyMap<string, T>, keys: readonly string[]): Record<string, T> {
  return Object.fromEntries(
    keys.map((key) => {
      const value = map.get(key);
      if (value === undefined) throw new Error(`no result named ${key}`);
      return [key, value];
    }),
  );
}

/** Relative to the largest entry: float32 against float64. */
function expectClose(got: ArrayLike<number>, expected: readonly number[], what: string): void {
  expect(got.length, what).toBe(expected.length);
  const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-3);
  const worst = expected.reduce((most, value, i) => Math.max(most, Math.abs(value - got[i])), 0);
  expect(worst / largest, what).toBeLessThan(1e-4);
}
