import { describe, expect, it } from 'vitest';
import { layerConfig } from '../../../test/layer-config.ts';
import { drawn, leavesOf, type Nested, value } from '../../../test/leaves.ts';
import {
  evaluate,
  gradients,
  input,
  matmul,
  namedTensors,
  sum,
  type Tensor,
  topologicalOrder,
  transpose,
  type Value,
} from '../../tensor/index.ts';
import { Scope } from '../scope.ts';
import { MultiHeadAttention } from './multi-head.ts';
import { scaledDotProductAttention } from './scaled-dot-product.ts';

const [B, H, T, S] = [2, 2, 3, 4];
const K = 5;

const queries = input('queries', 'float32', ['batch', H, 'target', K]);
const keys = input('keys', 'float32', ['batch', H, 'source', K]);
const values = input('values', 'float32', ['batch', H, 'source', 3]);
const mask = input('mask', 'float32', ['batch', 1, 'target', 'source']);
const scope = new Scope('a');

const numbers = {
  queries: drawn([B, H, T, K], 1),
  keys: drawn([B, H, S, K], 2),
  values: drawn([B, H, S, 3], 3),
};

/** The mask of 2 sentences, 3 queries and 4 keys; the last query of the second sentence is fully masked. */
const seen: Nested = [
  [
    [
      [1, 1, 0, 0],
      [1, 1, 1, 1],
      [0, 0, 0, 1],
    ],
  ],
  [
    [
      [1, 0, 0, 0],
      [1, 1, 0, 1],
      [0, 0, 0, 0],
    ],
  ],
];

function weightsOf(result: Tensor): Tensor {
  const weights = namedTensors([result]).get('a.weights');
  if (weights === undefined) throw new Error('the weights have no name');
  return weights;
}

function rowsOf({ shape, data }: Value): number[][] {
  const width = shape[shape.length - 1];
  return Array.from({ length: data.length / width }, (_, row) => [...data.subarray(row * width, (row + 1) * width)]);
}

/** The formula for one head, in plain numbers. */
function attentionOf(q: number[][], k: number[][], v: number[][]): number[][] {
  return q.map((query) => {
    const scores = k.map((key) => Math.exp(dot(query, key) / Math.sqrt(query.length)));
    const total = scores.reduce((a, b) => a + b);
    return v[0].map((_, i) => scores.reduce((mean, score, s) => mean + (score / total) * v[s][i], 0));
  });
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((total, x, i) => total + x * b[i], 0);
}

function expectClose(got: Float64Array, expected: readonly number[]): void {
  expect(got).toHaveLength(expected.length);
  got.forEach((entry, i) => {
    expect(entry).toBeCloseTo(expected[i], 10);
  });
}

describe('scaledDotProductAttention', () => {
  it('is softmax(Q Kᵀ / √K) V', () => {
    const result = scaledDotProductAttention(queries, { keys, values }, { scope });
    const [output] = evaluate([result], leavesOf([result], numbers));
    const [q, k, v] = [rowsOf(numbers.queries), rowsOf(numbers.keys), rowsOf(numbers.values)];
    const expected = Array.from({ length: B * H }, (_, head) => {
      const ofHead = (rows: number[][], length: number) => rows.slice(head * length, (head + 1) * length);
      return attentionOf(ofHead(q, T), ofHead(k, S), ofHead(v, S));
    });
    expectClose(output.data, expected.flat(2));
  });

  it('distributes each query’s weights over unmasked keys only', () => {
    const result = scaledDotProductAttention(queries, { keys, values }, { scope, mask });
    const inputs = { ...numbers, mask: value(seen) };
    const [weights] = evaluate([weightsOf(result)], leavesOf([result], inputs));
    const masks = rowsOf(inputs.mask);
    rowsOf(weights).forEach((row, place) => {
      const sentence = Math.floor(place / (H * T));
      const visible = masks[sentence * T + (place % T)];
      row.forEach((weight, s) => {
        expect(weight > 0).toBe(visible[s] === 1);
      });
      const total = row.reduce((a, b) => a + b);
      expect(total).toBeCloseTo(visible.includes(1) ? 1 : 0, 12);
    });
  });

  it('gives zeros and zero gradients for a query whose keys are all masked', () => {
    const result = scaledDotProductAttention(queries, { keys, values }, { scope, mask });
    const nothing = value(Array(B).fill([Array(T).fill(Array(S).fill(0))]));
    const slopes = gradients(sum(result), [queries, keys, values]);
    const outputs = [weightsOf(result), result, ...slopes];
    for (const { data } of evaluate(outputs, leavesOf(outputs, { ...numbers, mask: nothing }))) {
      expect(data.every((entry) => entry === 0)).toBe(true);
    }
  });

  it('gives masked keys a weight of exactly 0, however large their scores', () => {
    const large = { ...numbers, keys: { ...numbers.keys, data: numbers.keys.data.map((x) => 1e4 * x) } };
    const result = scaledDotProductAttention(queries, { keys, values }, { scope, mask });
    const [weights] = evaluate([weightsOf(result)], leavesOf([result], { ...large, mask: value(seen) }));
    expect(weights.data.every((weight) => weight >= 0 && weight <= 1)).toBe(true);
    expect([weights.data[2], weights.data[3]]).toEqual([0, 0]);
  });

  it('applies dropout to the weights after the softmax if requested', () => {
    const result = scaledDotProductAttention(queries, { keys, values }, { scope, dropout: 0.5 });
    const dropped = topologicalOrder([result]).filter(({ operator }) => operator.name === 'keepMask');
    expect(dropped.map(({ shape }) => shape)).toEqual([['batch', H, 'target', 'source']]);
  });
});

describe('scaling by 1 / √K', () => {
  const dKey = 64;
  const rows = 200;
  const many = input('queries', 'float32', ['batch', 1, 'target', dKey]);
  const others = input('keys', 'float32', ['batch', 1, 'source', dKey]);
  const inputs = { queries: drawn([1, 1, rows, dKey], 4), keys: drawn([1, 1, rows, dKey], 5) };

  function variance(scores: Tensor): number {
    const [{ data }] = evaluate([scores], leavesOf([scores], inputs));
    const mean = data.reduce((total, x) => total + x, 0) / data.length;
    return data.reduce((total, x) => total + (x - mean) ** 2, 0) / data.length;
  }

  it('brings the variance of q · k from K to 1', () => {
    expect(variance(matmul(many, transpose(others))) / dKey).toBeCloseTo(1, 1);
    const result = scaledDotProductAttention(many, { keys: others, values: others }, { scope });
    const [scores] = weightsOf(result).inputs; // the input of the softmax
    expect(variance(scores)).toBeCloseTo(1, 1);
  });
});

describe('MultiHeadAttention', () => {
  const config = layerConfig({ dModel: 6, heads: 2, dKey: 3, dValue: 4, attentionBias: true });
  const x = input('x', 'float32', ['batch', 'target', 6]);
  const memory = input('memory', 'float32', ['batch', 'source', 6]);
  const attention = new MultiHeadAttention(new Scope('a'), config);
  const inputs = { x: drawn([1, T, 6], 1), memory: drawn([1, S, 6], 2) };

  it('has keys and values of the configured widths', () => {
    const { keys: k, values: v } = attention.keysAndValues(memory);
    expect(k.shape).toEqual(['batch', 2, 'source', 3]);
    expect(v.shape).toEqual(['batch', 2, 'source', 4]);
    expect(attention.attend(x, { keys: k, values: v }).shape).toEqual(['batch', 'target', 6]);
  });

  it('is Concat(head₁, head₂) W^O, each head with its columns of W^Q, W^K, W^V', () => {
    const result = attention.attend(x, attention.keysAndValues(memory));
    const leaves = leavesOf([result], inputs);
    const weights = new Map([...leaves].map(([leaf, data]) => [(leaf.attributes as { name: string }).name, data]));
    const linear = (rows: number[][], name: string): number[][] => {
      const [weight, bias] = [rowsOf(weights.get(`a.${name}.weight`)!), weights.get(`a.${name}.bias`)!.data];
      return rows.map((row) =>
        [...bias].map((b, j) => row.reduce((total, entry, i) => total + entry * weight[i][j], b)),
      );
    };
    const columns = (rows: number[][], width: number, head: number) =>
      rows.map((row) => row.slice(head * width, (head + 1) * width));

    const q = linear(rowsOf(inputs.x), 'query');
    const k = linear(rowsOf(inputs.memory), 'key');
    const v = linear(rowsOf(inputs.memory), 'value');
    const heads = [0, 1].map((head) => attentionOf(columns(q, 3, head), columns(k, 3, head), columns(v, 4, head)));
    const joined = heads[0].map((row, t) => [...row, ...heads[1][t]]);
    expectClose(evaluate([result], leaves)[0].data, linear(joined, 'output').flat());
  });

  it('has four matrices and no other parameters without attention biases', () => {
    const plain = new MultiHeadAttention(new Scope('a'), { ...config, attentionBias: false });
    const names = [...leavesOf([plain.attend(x, plain.keysAndValues(memory))], inputs).keys()]
      .map((leaf) => (leaf.attributes as { name: string }).name)
      .filter((name) => name.startsWith('a.'));
    expect(names.toSorted()).toEqual(['a.key.weight', 'a.output.weight', 'a.query.weight', 'a.value.weight']);
  });
});
