// Every operator: the runtime equals the float64 reference, and the gradient equals finite differences.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../src/base/random.ts';
import type { Values } from '../src/runtime/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import * as t from '../src/tensor/index.ts';
import { type Case, type CaseInput, cases } from './operator-cases.ts';

/** Operators that runs or bodies are fed, not computed, and those that only gradients use. */
const NOT_APPLIED = ['parameter', 'keepMask', 'placeholder', 'crossEntropyGradient'];

describe.each(cases.map((one) => [one.title, one] as const))('%s', (_, one) => {
  it('runtime = reference, gradient = finite differences, gradient in the runtime = in the reference', async () => {
    const inputs = one.inputs.map(({ shape, values }, i) =>
      t.input(`x${i}`, isIds(values) ? 'int32' : 'float32', shape),
    );
    const output = one.build(inputs);
    const wanted = one.differentiable ?? one.inputs.flatMap(({ values }, i) => (isIds(values) ? [] : [i]));
    const dependent = output.dtype === 'float32' ? wanted : [];
    const weights = t.input('weights', 'float32', output.shape);
    const loss = t.sum(t.multiply(weights, output.dtype === 'float32' ? output : t.toFloat(output)));
    const slopes =
      dependent.length === 0
        ? []
        : t.gradients(
            loss,
            dependent.map((i) => inputs[i]),
          );
    const outputs = { output, ...Object.fromEntries(slopes.map((slope, i) => [`slope${i}`, slope])) };
    const program = await compile(outputs, { threads: 1 });

    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 8, maxLength: 8 }),
        async (seed, sizes) => {
          const { leaves, feeds } = draw(one, inputs, weights, output, seed, sizes);
          const nodes = Object.values(outputs);
          const expected = t.evaluate(nodes, leaves);
          const got = await program.run(feeds);
          Object.keys(outputs).forEach((name, i) => {
            expect([...got[name].shape]).toEqual([...expected[i].shape]);
            expectClose(got[name].data, expected[i].data, 1e-4);
          });
          dependent.forEach((i, which) => {
            expectClose(expected[which + 1].data, differences(loss, inputs[i], leaves), 1e-6);
          });
        },
      ),
      { numRuns: 12, seed: 1 },
    );
    await program.release();
  });
});

describe('the table of cases', () => {
  it('has every operator that a function applies', () => {
    const applied = new Set<string>();
    for (const one of cases) {
      const inputs = one.inputs.map(({ shape, values }, i) =>
        t.input(`x${i}`, isIds(values) ? 'int32' : 'float32', shape),
      );
      for (const node of t.topologicalOrder([one.build(inputs)])) applied.add(node.operator.name);
    }
    const known = Object.values(t.operators).map(({ name }) => name);
    expect(known.filter((name) => !applied.has(name)).toSorted()).toEqual(NOT_APPLIED.toSorted());
  });
});

/** Random values for a case's inputs, both for the reference and for the runtime. */
function draw(one: Case, inputs: t.Tensor[], weights: t.Tensor, output: t.Tensor, seed: number, sizes: number[]) {
  const random = Random.of(seed);
  const bound = new Map<string, number>(Object.entries(one.sizes ?? {}));
  const size = (dim: t.Dim): number => {
    if (typeof dim === 'number') return dim;
    if (dim.includes('*')) return dim.split('*').reduce((product, part) => product * (Number(part) || size(part)), 1);
    if (dim.includes('+')) return dim.split('+').reduce((sum, part) => sum + (Number(part) || size(part)), 0);
    if (!bound.has(dim)) bound.set(dim, sizes[bound.size % sizes.length]);
    return bound.get(dim) ?? 1;
  };
  const leaves = new Map<t.Tensor, t.Value>();
  const feeds = new Map<string, Values>();
  const add = (name: string, tensor: t.Tensor, values: CaseInput['values']) => {
    const shape = tensor.shape.map(size);
    const numbers = drawNumbers(
      shape.reduce((product, dim) => product * dim, 1),
      values,
      random,
    );
    leaves.set(tensor, { shape, data: Float64Array.from(numbers) });
    feeds.set(name, { shape, data: isIds(values) ? Int32Array.from(numbers) : Float32Array.from(numbers) });
  };
  one.inputs.forEach(({ values }, i) => {
    add(`x${i}`, inputs[i], values);
  });
  add('weights', weights, 'float');
  expect(output.shape.length).toBe(weights.shape.length);
  return { leaves, feeds };
}

/** Numbers that a float32 holds exactly, distinct by at least 0.01 and at least 0.01 away from 0. */
function drawNumbers(count: number, values: CaseInput['values'], random: Random): number[] {
  if (typeof values === 'object') return Array.from({ length: count }, () => random.integer(values.below));
  const grid = random.shuffle(Array.from({ length: Math.max(128, count) }, (_, i) => (i + 1) / 64));
  return grid.slice(0, count).map((number) => (values === 'positive' || random.integer(2) ? number + 0.25 : -number));
}

/** Central differences of the loss with respect to each entry of a leaf. */
function differences(loss: t.Tensor, leaf: t.Tensor, leaves: Map<t.Tensor, t.Value>): number[] {
  const value = leaves.get(leaf);
  if (value === undefined) throw new Error('no value for the leaf');
  const step = 1e-5;
  const at = (i: number, offset: number) => {
    const data = value.data.slice();
    data[i] += offset;
    return t.evaluate([loss], new Map(leaves).set(leaf, { shape: value.shape, data }))[0].data[0];
  };
  return Array.from(value.data, (_, i) => (at(i, step) - at(i, -step)) / (2 * step));
}

function expectClose(got: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(got.length).toBe(expected.length);
  for (let i = 0; i < got.length; i++) {
    const allowed = tolerance * Math.max(1, Math.abs(expected[i]));
    if (!(Math.abs(got[i] - expected[i]) <= allowed)) expect(got[i], `entry ${i}`).toBe(expected[i]);
  }
}

function isIds(values: CaseInput['values']): boolean {
  return typeof values === 'object';
}
