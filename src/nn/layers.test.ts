// Linear maps, embeddings, feed-forward networks, dropout, residual connections and norms.

import { describe, expect, it } from 'vitest';
import { layerConfig } from '../../test/layer-config.ts';
import { drawn, leavesOf, value } from '../../test/leaves.ts';
import { evaluate, input, scale, type Tensor, type Value } from '../tensor/index.ts';
import { dropout } from './dropout.ts';
import { Embedding } from './embedding.ts';
import { feedForwards } from './feed-forward/registry.ts';
import { Linear } from './linear.ts';
import { Scope } from './scope.ts';
import { Sublayer } from './sublayer.ts';

const scope = new Scope('part');
const x = input('x', 'float32', ['batch', 'time', 2]);
const inputs = { x: value([[[3, -5]]]) };

interface Leaf {
  readonly name: string;
}

/** The result, given parameters by name. */
function evaluated(result: Tensor, parameters: Record<string, Value>, given: Record<string, Value> = inputs): number[] {
  const leaves = leavesOf([result], given);
  for (const leaf of leaves.keys()) {
    const known = parameters[(leaf.attributes as Leaf).name];
    if (known !== undefined) leaves.set(leaf, known);
  }
  return [...evaluate([result], leaves)[0].data];
}

describe('Linear', () => {
  const weight = value([
    [1, 2, 3],
    [10, 20, 30],
  ]);

  it('is x W + b', () => {
    const result = new Linear(scope, { from: 2, to: 3 }).apply(x);
    const parameters = { 'part.weight': weight, 'part.bias': value([0.5, 0, 0]) };
    expect(evaluated(result, parameters)).toEqual([-46.5, -94, -141]);
  });

  it('is x W without a bias', () => {
    const result = new Linear(scope, { from: 2, to: 3, bias: false }).apply(x);
    expect(evaluated(result, { 'part.weight': weight })).toEqual([-47, -94, -141]);
  });
});

describe('Embedding', () => {
  const table = value([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  const embedding = new Embedding(scope, 3, 2);

  it('multiplies the rows it looks up by √D', () => {
    const ids = input('ids', 'int32', ['batch', 'time']);
    const result = evaluated(embedding.lookUp(ids, scope), { 'part.weight': table }, { ids: value([[2, 0]]) });
    [5, 6, 1, 2].forEach((entry, i) => {
      expect(result[i]).toBeCloseTo(entry * Math.SQRT2, 12);
    });
  });

  it('does not scale projections', () => {
    expect(evaluated(embedding.project(x), { 'part.weight': table })).toEqual([-7, -11, -15]);
  });
});

describe('feed-forward networks', () => {
  const parameters = {
    'part.inner.weight': value([
      [1, 0],
      [0, 1],
    ]),
    'part.inner.bias': value([0, 1]),
    'part.gate.weight': value([
      [1, 0],
      [0, 0],
    ]),
    'part.gate.bias': value([0, 0]),
    'part.output.weight': value([
      [1, 10],
      [1, 10],
    ]),
    'part.output.bias': value([0, 100]),
  };
  const silu = (z: number) => z / (1 + Math.exp(-z));

  it.each([
    ['relu', 3],
    ['gelu', 2.9959503059 - 4 * 3.167124e-5],
    ['swiglu', silu(3) * 3],
  ] as const)('with %s', (activation, active) => {
    const config = layerConfig({ dModel: 2, heads: 1, dInner: 2, activation });
    const [first, second] = evaluated(feedForwards.get(config.activation)(scope, config).apply(x), parameters);
    expect(first).toBeCloseTo(active, 8);
    expect(second).toBeCloseTo(10 * active + 100, 7);
  });
});

describe('dropout', () => {
  it('does nothing at rate 0', () => {
    expect(dropout(x, 0)).toBe(x);
  });

  it('multiplies by a mask of the same shape', () => {
    const mask = dropout(x, 0.25).inputs[1];
    expect(mask.operator.name).toBe('keepMask');
    expect(mask.attributes).toEqual({ shape: x.shape, rate: 0.25 });
  });
});

describe('Sublayer', () => {
  const wide = input('x', 'float32', [1, 1, 4]);
  const given = { x: drawn([1, 1, 4], 1) };
  const gains = { 'part.innerNorm.weight': value([1, 1, 1, 1]), 'part.innerNorm.bias': value([0, 0, 0, 0]) };
  const variance = (row: readonly number[]) => row.reduce((sum, entry) => sum + entry * entry, 0) / row.length;

  it('normalises the residual sum as in the paper', () => {
    const around = new Sublayer(scope, 'inner', layerConfig({ dModel: 4, heads: 1 }));
    expect(around.preNorm(wide)).toBe(wide);
    const result = around.addAndNorm(wide, scale(wide, 2));
    expect(result.names).toEqual(['part.inner.result']);
    const row = evaluated(result, gains, given);
    expect(row.reduce((a, b) => a + b)).toBeCloseTo(0, 10);
    expect(variance(row)).toBeCloseTo(1, 4);
  });

  it('with pre-norm normalises the sub-layer’s input and not the sum', () => {
    const around = new Sublayer(scope, 'inner', layerConfig({ dModel: 4, heads: 1, norm: 'pre' }));
    expect(variance(evaluated(around.preNorm(wide), gains, given))).toBeCloseTo(1, 4);
    const sum = evaluated(around.addAndNorm(wide, scale(wide, 2)), gains, given);
    sum.forEach((entry, i) => {
      expect(entry).toBeCloseTo(3 * given.x.data[i], 12);
    });
  });
});

describe('Scope', () => {
  it('prefixes names with its path', () => {
    const inner = new Scope().child('encoder').child('layers.0');
    expect(inner.result('weights', x).names).toEqual(['encoder.layers.0.weights']);
    expect(new Scope().result('logits', x).names).toEqual(['logits']);
    const parameter = inner.parameter('bias', [3], { kind: 'constant', value: 0 });
    expect(parameter.attributes).toMatchObject({ name: 'encoder.layers.0.bias', shape: [3] });
  });
});
