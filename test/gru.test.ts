// The gated recurrent unit: against PyTorch (tools/golden/gru.py), position by position, and trained.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Random } from '../src/base/random.ts';
import { Embedding } from '../src/nn/embedding.ts';
import { GatedRecurrentUnit } from '../src/nn/mixers/gru.ts';
import { Scope } from '../src/nn/scope.ts';
import { dequantizeMatrix, quantizationAxes, quantizeMatrix } from '../src/onnx/index.ts';
import { ParameterSet, parametersOf, type Values } from '../src/runtime/index.ts';
import { compile, compileShared, openSharedPrograms, removeSharedPrograms } from '../src/runtime/node/index.ts';
import { crossEntropy, gradients, input, multiply, sum, type Tensor } from '../src/tensor/index.ts';
import { Adam } from '../src/train/index.ts';

interface GoldenArray {
  shape: number[];
  values: number[];
}

interface GoldenRun {
  output: GoldenArray;
  state: GoldenArray;
  gradients: Record<string, GoldenArray>;
}

interface Golden {
  parameters: Record<string, GoldenArray>;
  x: GoldenArray;
  weights: GoldenArray;
  before: GoldenArray;
  fromZeros: GoldenRun;
  fromState: GoldenRun;
}

const golden: Golden = JSON.parse(readFileSync(new URL('golden/gru.json', import.meta.url), 'utf8'));
const [batch, time, width] = golden.x.shape;

const x = input('x', 'float32', ['batch', 'time', width]);
const before = input('before', 'float32', ['batch', width]);
const weights = input('weights', 'float32', ['batch', 'time', width]);

const floats = ({ shape, values }: GoldenArray): Values => ({ shape, data: Float32Array.from(values) });

const feeds = new Map<string, Values>([
  ...Object.entries(golden.parameters).map(([name, array]) => [name, floats(array)] as const),
  ...(['x', 'before', 'weights'] as const).map((name) => [name, floats(golden[name])] as const),
]);

describe('the layer computes what PyTorch does', () => {
  it.each([
    ['fromZeros', undefined],
    ['fromState', before],
  ] as const)('%s', async (name, start) => {
    const { output, state } = new GatedRecurrentUnit(new Scope(), { width }).sequence(x, start);
    const expected = golden[name];
    const loss = sum(multiply(output, weights));
    const leaves = [...parametersOf([loss]), x, ...(start === undefined ? [] : [start])];
    const names = leaves.map(({ attributes }) => (attributes as { name: string }).name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(golden.parameters)));
    const slopes = gradients(loss, leaves).map((slope, i) => [`gradient.${names[i]}`, slope] as const);
    const program = await compile({ output, state, ...Object.fromEntries(slopes) });
    const results = await program.run(feeds);
    expectClose(results.output.data, expected.output.values, 'output');
    expectClose(results.state.data, expected.state.values, 'state');
    for (const leaf of names) {
      expect([...results[`gradient.${leaf}`].shape]).toEqual(expected.gradients[leaf].shape);
      expectClose(results[`gradient.${leaf}`].data, expected.gradients[leaf].values, leaf);
    }
  });
});

it('refuses an input of another width', () => {
  const unit = new GatedRecurrentUnit(new Scope(), { width: 8 });
  expect(() => unit.sequence(x)).toThrow('gru: the input must be as wide as the state, got 5 and 8.');
});

it('has int8 weights, within the states too', async () => {
  const { output } = new GatedRecurrentUnit(new Scope(), { width }).sequence(x);
  const matrices = [...quantizationAxes([output])].map(([name, axis]) => {
    const { shape, values } = golden.parameters[name];
    return [name, quantizeMatrix({ shape, data: Float32Array.from(values) }, axis)] as const;
  });
  expect(matrices.map(([, { axis }]) => axis)).toEqual([1, 1, 1, 1, 1, 1]);
  const stored = Object.entries(golden.parameters).map(
    ([name, array]) => [name, floats(array).data as Float32Array] as const,
  );
  const rounded = matrices.map(([name, matrix]) => [name, dequantizeMatrix(matrix)] as const);
  const options = { weights: new Map([...stored, ...rounded]) };
  const exact = await (await compile({ output }, options)).run(feeds);
  const int8 = await (await compile({ output }, { ...options, quantized: new Map(matrices) })).run(feeds);
  expect(int8.output.data).not.toEqual(exact.output.data);
  expectClose(int8.output.data, exact.output.data, 'output', 0.02);
});

it('can be shared by threads like other programs', async () => {
  const wide = 32;
  const { output } = new GatedRecurrentUnit(new Scope(), { width: wide }).sequence(
    input('x', 'float32', ['batch', 'time', wide]),
  );
  const options = { threads: 1, weights: ParameterSet.initialize(parametersOf([output]), 1).weights() };
  const fed = new Map([['x', { shape: [1, 2, wide], data: Float32Array.from({ length: 2 * wide }, Math.sin) }]]);
  const own = await (await compile({ output }, options)).run(fed);
  const shared = openSharedPrograms();
  if (shared === undefined) throw new Error('no place for shared programs');
  const first = await compileShared(shared)({ output }, options);
  expect(
    readdirSync(shared.folder)
      .map((name) => name.split('.').slice(1).join('.'))
      .toSorted(),
  ).toEqual(['onnx', 'onnx.weights']);
  expect((await first.run(fed)).output.data).toEqual(own.output.data);
  removeSharedPrograms(shared);
});

describe('decoding', () => {
  it('computes a sequence position by position, each hypothesis from its own state', async () => {
    const unit = new GatedRecurrentUnit(new Scope(), { width });
    const hypotheses = ['sentences', 'hypotheses', width];
    const step = await compile({
      ...unit.step(input('x', 'float32', hypotheses), input('before', 'float32', hypotheses)),
    });
    const whole = await (await compile({ ...unit.sequence(x) })).run(feeds);
    let state: Values['data'] = new Float32Array(batch * width);
    for (let position = 0; position < time; position++) {
      // The sentences of the batch are the hypotheses of one sentence here.
      const shape = [1, batch, width];
      const fed = new Map(feeds);
      fed.set('x', { shape, data: rowsAt(feeds.get('x')?.data as Float32Array, position) });
      fed.set('before', { shape, data: state });
      const results = await step.run(fed);
      expect([...results.output.shape]).toEqual(shape);
      expectClose(
        results.output.data,
        rowsAt(whole.output.data as Float32Array, position),
        `position ${position}`,
        1e-6,
      );
      state = results.state.data;
    }
    expectClose(state, whole.state.data, 'last state', 1e-6);
  });

  /** [B, T, D] at a position: [B, D] */
  function rowsAt(values: Float32Array, position: number): Float32Array {
    const rows = new Float32Array(batch * width);
    for (let row = 0; row < batch; row++) {
      const start = (row * time + position) * width;
      rows.set(values.subarray(start, start + width), row * width);
    }
    return rows;
  }
});

describe('training', () => {
  const vocabulary = 6;
  const delay = 2;
  const [rows, length] = [16, 10];

  /** Each token must be repeated two positions later. */
  function lossOf(): Tensor {
    const [tokens, expected] = ['tokens', 'expected'].map((name) => input(name, 'int32', ['batch', 'time']));
    const size = 16;
    const embedding = new Embedding(new Scope('embedding'), vocabulary, size);
    const unit = new GatedRecurrentUnit(new Scope('unit'), { width: size });
    const { output } = unit.sequence(embedding.lookUp(tokens, new Scope()));
    return sum(crossEntropy(embedding.project(output), expected, 0));
  }

  function drawn(random: Random): [string, Values][] {
    const tokens = Int32Array.from({ length: rows * length }, () => random.integer(vocabulary));
    const expected = tokens.map((_, i) => (i % length < delay ? 0 : tokens[i - delay]));
    return Object.entries({ tokens, expected }).map(([name, data]) => [name, { shape: [rows, length], data }]);
  }

  it('lowers the loss of a task that needs a memory', async () => {
    const loss = lossOf();
    const tensors = parametersOf([loss]);
    const slopes = gradients(loss, tensors).map((slope, i) => [`gradient.${i}`, slope] as const);
    const program = await compile({ loss, ...Object.fromEntries(slopes) });
    const parameters = ParameterSet.initialize(tensors, 1);
    const adam = new Adam(parameters);
    const random = Random.of(1, 'batches');
    const losses: number[] = [];
    for (let step = 1; step <= 50; step++) {
      const own = parameters.parameters.map((parameter) => [parameter.name, parameter] as const);
      const results = await program.run(new Map<string, Values>([...own, ...drawn(random)]));
      losses.push(results.loss.data[0] / (rows * length));
      const arrays = slopes.map(([name]) => results[name].data as Float32Array);
      await adam.update(step, 0.02, arrays, 1 / (rows * length));
    }
    expect(losses[0]).toBeGreaterThan(1);
    const withoutMemory = ((length - delay) / length) * Math.log(vocabulary); // from the tokens two positions ago
    expect(losses[49]).toBeLessThan(0.7 * withoutMemory);
  });
});

function expectClose(got: ArrayLike<number>, expected: ArrayLike<number>, what: string, tolerance = 1e-5): void {
  expect(got.length, what).toBe(expected.length);
  for (let i = 0; i < got.length; i++) {
    expect(Math.abs(got[i] - expected[i]), `${what}, entry ${i}`).toBeLessThanOrEqual(tolerance);
  }
}
