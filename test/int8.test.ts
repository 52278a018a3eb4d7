import { describe, expect, it } from 'vitest';
import { Random } from '../src/base/random.ts';
import { dequantizeMatrix, LARGEST_WEIGHT, lower, quantizeMatrix } from '../src/onnx/index.ts';
import { compile } from '../src/runtime/node.ts';
import { add, gather, input, layerNormalization, matmul, parameter, transpose } from '../src/tensor/index.ts';

const initial = { kind: 'normal', deviation: 1 } as const;
const random = Random.of(1);
const normal = (count: number, deviation = 1) =>
  Float32Array.from({ length: count }, () => deviation * random.normal());

describe('quantizeMatrix', () => {
  it('keeps each entry to half a step of its row or column', () => {
    const data = normal(6 * 5);
    for (const axis of [0, 1] as const) {
      const matrix = quantizeMatrix({ shape: [6, 5], data }, axis);
      dequantizeMatrix(matrix).forEach((value, i) => {
        const scale = matrix.scales[axis === 0 ? Math.floor(i / 5) : i % 5];
        expect(Math.abs(value - data[i])).toBeLessThanOrEqual(scale * 0.5001);
      });
      expect(Math.max(...matrix.data.map(Math.abs))).toBe(LARGEST_WEIGHT);
    }
  });

  it('keeps zeros', () => {
    const matrix = quantizeMatrix({ shape: [2, 2], data: new Float32Array(4) }, 1);
    expect([...dequantizeMatrix(matrix)]).toEqual([0, 0, 0, 0]);
  });
});

describe('a product with int8 weights', () => {
  const weight = parameter('weight', [256, 160], initial);
  const embedding = parameter('embedding', [160, 256], initial);
  const x = input('x', 'float32', ['rows', 256]);
  const ids = input('ids', 'int32', ['ids']);
  const weights = new Map([
    ['weight', normal(256 * 160, 0.1)],
    ['embedding', normal(160 * 256, 0.1)],
  ]);
  const quantized = new Map([
    ['weight', quantizeMatrix({ shape: [256, 160], data: weights.get('weight') ?? normal(0) }, 1)],
    ['embedding', quantizeMatrix({ shape: [160, 256], data: weights.get('embedding') ?? normal(0) }, 0)],
  ]);
  const outputs = {
    straight: matmul(x, weight),
    turned: matmul(x, transpose(embedding)),
    rows: gather(embedding, ids),
  };
  const rows = normal(7 * 256);
  const feeds = (data: Float32Array) =>
    new Map([
      ['x', { shape: [data.length / 256, 256], data }],
      ['ids', { shape: [2], data: Int32Array.of(3, 1) }],
    ]);

  it('is close to the product with floats, also of a transposed embedding', async () => {
    const exact = await (await compile(outputs, { weights })).run(feeds(rows));
    const near = await (await compile(outputs, { weights, quantized })).run(feeds(rows));
    for (const name of ['straight', 'turned']) {
      const error = Math.hypot(...near[name].data.map((value, i) => value - exact[name].data[i]));
      expect(error / Math.hypot(...exact[name].data)).toBeLessThan(0.02);
      expect(error).toBeGreaterThan(0);
    }
    expect([...near.rows.data]).toEqual([...exact.rows.data]);
  });

  it('of a row never depends on the other rows', async () => {
    const program = await compile(outputs, { weights, quantized });
    const outliers = rows.map((value, i) => (i < 256 ? value : value * 50));
    const together = await program.run(feeds(outliers));
    const alone = await program.run(feeds(outliers.slice(0, 256)));
    for (const name of ['straight', 'turned']) {
      expect([...together[name].data.subarray(0, 160)]).toEqual([...alone[name].data]);
    }
  });

  it('of a small matrix is one of floats, since measuring the rows would cost more', async () => {
    const small = parameter('small', [8, 6], initial);
    const matrix = quantizeMatrix({ shape: [8, 6], data: normal(8 * 6) }, 1);
    const options = { weights: new Map([['small', dequantizeMatrix(matrix)]]) };
    const product = { product: matmul(input('x', 'float32', ['rows', 8]), small) };
    const fed = new Map([['x', { shape: [3, 8], data: normal(3 * 8) }]]);
    const exact = await (await compile(product, options)).run(fed);
    const near = await (await compile(product, { ...options, quantized: new Map([['small', matrix]]) })).run(fed);
    expect([...near.product.data]).toEqual([...exact.product.data]);
  });

  it('of a row of zeros is zero', async () => {
    const { straight } = await (await compile(outputs, { weights, quantized })).run(feeds(new Float32Array(256)));
    expect(straight.data.every((value) => value === 0)).toBe(true);
  });
});

describe('a product of normalised rows with int8 weights', () => {
  const x = input('x', 'float32', ['rows', 256]);
  const ones = { kind: 'constant', value: 1 } as const;
  const [gain, shift, bias] = ['gain', 'shift', 'bias'].map((name) =>
    parameter(name, [name === 'bias' ? 160 : 256], ones),
  );
  const normalised = layerNormalization(x, gain, shift, 1e-6);
  const product = matmul(normalised, parameter('weight', [256, 160], initial));
  const outputs = { product, withBias: add(product, bias) };
  const weight = normal(256 * 160, 0.1);
  const quantized = new Map([['weight', quantizeMatrix({ shape: [256, 160], data: weight }, 1)]]);
  const weightsWith = (gains: Float32Array) =>
    new Map(Object.entries({ weight, gain: gains, shift: normal(256, 0.1), bias: normal(160) }));
  const usual = weightsWith(normal(256, 0.1).map((value) => 1 + value));
  const feeds = new Map([['x', { shape: [7, 256], data: normal(7 * 256, 3) }]]);

  async function relativeErrors(weights: Map<string, Float32Array>): Promise<number[]> {
    const exact = await (await compile(outputs, { weights })).run(feeds);
    const near = await (await compile(outputs, { weights, quantized })).run(feeds);
    return Object.keys(outputs).map((name) => {
      const error = Math.hypot(...near[name].data.map((value, i) => value - exact[name].data[i]));
      return error / Math.hypot(...exact[name].data);
    });
  }

  const measures = (weights: Map<string, Float32Array>) =>
    lower(outputs, { weights, quantized }).graph.nodes.some(({ type }) => type === 'ReduceMax');

  it('is close to the product with floats, without measuring the rows', async () => {
    expect(measures(usual)).toBe(false);
    for (const error of await relativeErrors(usual)) {
      expect(error).toBeLessThan(0.03);
      expect(error).toBeGreaterThan(0);
    }
  });

  it('measures the rows where a few large gains would make the step too coarse, or all are zero', async () => {
    const uneven = weightsWith(new Float32Array(256).fill(1).fill(30, 0, 8));
    expect(measures(uneven)).toBe(true);
    for (const error of await relativeErrors(uneven)) expect(error).toBeLessThan(0.03);
    const nothing = weightsWith(new Float32Array(256)).set('shift', new Float32Array(256));
    const { withBias } = await (await compile(outputs, { weights: nothing, quantized })).run(feeds);
    expect([...withBias.data.subarray(0, 160)]).toEqual([...(nothing.get('bias') ?? [])]);
  });

  it('cuts off what goes beyond seven deviations', async () => {
    const one = new Float32Array(256).fill(1);
    const weights = weightsWith(one).set('shift', new Float32Array(256));
    // The deviation of a single entry among 256 is √255, nearly sixteen.
    const single = new Map([['x', { shape: [1, 256], data: new Float32Array(256).fill(1, 0, 1) }]]);
    const { product } = await (await compile(outputs, { weights, quantized })).run(single);
    const matrix = dequantizeMatrix(quantizeMatrix({ shape: [256, 160], data: weight }, 1));
    const entries = new Float32Array(256).fill(-1 / Math.sqrt(255)).fill(7, 0, 1);
    product.data.forEach((value, j) => {
      const expected = entries.reduce((sum, entry, i) => sum + entry * matrix[i * 160 + j], 0);
      expect(value).toBeCloseTo(expected, 1);
    });
  });
});
