// The decoder-only model against PyTorch: logits, attention weights, loss and every gradient (tools/golden/gpt.py).

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { architectures, buildModel } from '../src/architectures/index.ts';
import { ParameterSet, parametersOf, type Values } from '../src/runtime/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { gradients, input, namedTensors, type Tensor } from '../src/tensor/index.ts';
import { sequenceLoss } from '../src/train/loss.ts';

interface GoldenArray {
  shape: number[];
  values: number[];
}

interface Golden {
  config: Record<string, unknown> & { kind: string; padId: number };
  inputs: { target: number[][]; expected: number[][] };
  labelSmoothing: number;
  /** Mean per target token. */
  loss: number;
  logits: GoldenArray;
  intermediates: Record<string, GoldenArray>;
  parameters: Record<string, GoldenArray>;
  /** Of the mean loss. */
  gradients: Record<string, GoldenArray>;
}

describe.each(['pre-norm-learned', 'paper', 'separate-output'])('%s', (name) => {
  const golden: Golden = JSON.parse(readFileSync(new URL(`golden/gpt-${name}.json`, import.meta.url), 'utf8'));
  const { kind, ...options } = golden.config;
  const model = buildModel(architectures.get(kind).complete(options));
  const logits = model.logits(input('target', 'int32', ['batch', 'target']), {});
  const expected = input('expected', 'int32', ['batch', 'target']);
  const loss = sequenceLoss(logits, expected, { padId: golden.config.padId, smoothing: golden.labelSmoothing });
  const parameters = parametersOf([loss.total]);
  const set = ParameterSet.initialize(parameters, 1);
  set.assign(new Map(Object.entries(golden.parameters).map(([key, value]) => [key, arrayOf(value)])), 'golden');
  const feeds = new Map<string, Values>([
    ...set.parameters.map((parameter) => [parameter.name, parameter] as const),
    ['target', idsOf(golden.inputs.target)],
    ['expected', idsOf(golden.inputs.expected)],
  ]);
  const tokens = golden.inputs.expected.flat().filter((id) => id !== golden.config.padId).length;

  it('has the same parameters', () => {
    expect(set.parameters.map((parameter) => parameter.name).sort()).toEqual(Object.keys(golden.parameters).sort());
  });

  it('has the same logits, loss and attention weights', async () => {
    const seen = namedTensors([logits]);
    const outputs: Record<string, Tensor> = { logits, loss: loss.total };
    for (const key of Object.keys(golden.intermediates)) outputs[key] = seen.get(key) ?? missing(key);
    const results = await (await compile(outputs)).run(feeds);
    expect(results.loss.data[0] / tokens).toBeCloseTo(golden.loss, 5);
    expectClose(results.logits.data, golden.logits.values, 'logits');
    for (const [key, { values }] of Object.entries(golden.intermediates)) expectClose(results[key].data, values, key);
  });

  it('has every gradient', async () => {
    const slopes = gradients(loss.total, parameters);
    const outputs = Object.fromEntries(slopes.map((slope, i) => [`gradient.${i}`, slope]));
    const results = await (await compile(outputs)).run(feeds);
    set.parameters.forEach((parameter, i) => {
      const mean = Float32Array.from(results[`gradient.${i}`].data, (value) => value / tokens);
      expectClose(mean, golden.gradients[parameter.name].values, parameter.name);
    });
  });
});

function missing(name: string): never {
  throw new Error(`no result named ${name}`);
}

function arrayOf({ shape, values }: GoldenArray) {
  return { shape, data: Float32Array.from(values) };
}

function idsOf(rows: readonly number[][]): Values {
  return { shape: [rows.length, rows[0].length], data: Int32Array.from(rows.flat()) };
}

/** Relative to the largest entry: float32 against float64. */
function expectClose(got: ArrayLike<number>, expected: readonly number[], what: string): void {
  expect(got.length, what).toBe(expected.length);
  const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-3);
  const worst = expected.reduce((most, value, i) => Math.max(most, Math.abs(value - got[i])), 0);
  expect(worst / largest, what).toBeLessThan(1e-4);
}
