import { describe, expect, it } from 'vitest';
import { batchLogits, Transformer, type TransformerConfig, transformerConfig } from '../src/architectures/index.ts';
import { Random } from '../src/base/random.ts';
import { activationRanges, dequantizeMatrix, LARGEST_WEIGHT, lower, quantizeMatrix } from '../src/onnx/index.ts';
import { ParameterSet, parametersOf } from '../src/runtime/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import {
  add,
  gather,
  input,
  layerNormalization,
  matmul,
  namedTensors,
  parameter,
  relu,
  type Tensor,
  transpose,
} from '../src/tensor/index.ts';

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

  it('of a small matrix is computed with floats, since dynamic quantization would cost more', async () => {
    const small = parameter('small', [8, 6], initial);
    // As in decoding, where each sentence has a known number of rows.
    const matrix = quantizeMatrix({ shape: [8, 6], data: normal(8 * 6) }, 1);
    const options = { weights: new Map([['small', dequantizeMatrix(matrix)]]) };
    const product = { product: matmul(input('x', 'float32', ['sentences', 1, 8]), small) };
    const fed = new Map([['x', { shape: [3, 1, 8], data: normal(3 * 8) }]]);
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
  const withBias = add(product, bias);
  const afterRelu = matmul(relu(withBias), parameter('second', [160, 256], initial));
  const outputs = { product, withBias, afterRelu };
  const limits = [0.03, 0.03, 0.05]; // the last has the errors of two products
  const [weight, second] = [normal(256 * 160, 0.1), normal(160 * 256, 0.1)];
  const weightsWith = (gains: Float32Array) =>
    new Map(Object.entries({ weight, second, gain: gains, shift: normal(256, 0.1), bias: normal(160) }));
  const quantizedFor = (weights: Map<string, Float32Array>) => {
    const ranges = activationRanges(Object.values(outputs), weights);
    const matrices = [
      ['weight', quantizeMatrix({ shape: [256, 160], data: weight }, 1)],
      ['second', quantizeMatrix({ shape: [160, 256], data: second }, 1)],
    ] as const;
    return new Map(matrices.map(([name, matrix]) => [name, { ...matrix, inputRange: ranges.get(name) }]));
  };
  const usual = weightsWith(normal(256, 0.1).map((value) => 1 + value));
  const feeds = new Map([['x', { shape: [7, 256], data: normal(7 * 256, 3) }]]);

  async function relativeErrors(weights: Map<string, Float32Array>): Promise<number[]> {
    const exact = await (await compile(outputs, { weights })).run(feeds);
    const near = await (await compile(outputs, { weights, quantized: quantizedFor(weights) })).run(feeds);
    return Object.keys(outputs).map((name) => {
      const error = Math.hypot(...near[name].data.map((value, i) => value - exact[name].data[i]));
      return error / Math.hypot(...exact[name].data);
    });
  }

  const measures = (weights: Map<string, Float32Array>) =>
    lower(outputs, { weights, quantized: quantizedFor(weights) }).graph.nodes.some(({ type }) => type === 'ReduceMax');

  it('is close to the product with floats, without dynamic quantization, with ReLU by clipping of the codes', async () => {
    expect(measures(usual)).toBe(false);
    const { nodes } = lower(outputs, { weights: usual, quantized: quantizedFor(usual) }).graph;
    expect(nodes.filter(({ type }) => type === 'Relu')).toEqual([]);
    const errors = await relativeErrors(usual);
    for (const [i, error] of errors.entries()) {
      expect(error).toBeLessThan(limits[i]);
      expect(error).toBeGreaterThan(0);
    }
  });

  it('uses dynamic quantization if a few large gains would make the step too coarse, or all are zero', async () => {
    const uneven = weightsWith(new Float32Array(256).fill(1).fill(30, 0, 8));
    expect(measures(uneven)).toBe(true);
    for (const [i, error] of (await relativeErrors(uneven)).entries()) expect(error).toBeLessThan(limits[i]);
    const nothing = weightsWith(new Float32Array(256)).set('shift', new Float32Array(256));
    const results = await (await compile(outputs, { weights: nothing, quantized: quantizedFor(nothing) })).run(feeds);
    expect([...results.withBias.data.subarray(0, 160)]).toEqual([...(nothing.get('bias') ?? [])]);
  });

  it('clips values beyond seven deviations', async () => {
    const one = new Float32Array(256).fill(1);
    const weights = weightsWith(one).set('shift', new Float32Array(256));
    // The deviation of a single entry among 256 is √255, nearly sixteen.
    const single = new Map([['x', { shape: [1, 256], data: new Float32Array(256).fill(1, 0, 1) }]]);
    const results = await (await compile(outputs, { weights, quantized: quantizedFor(weights) })).run(single);
    const matrix = dequantizeMatrix(quantizeMatrix({ shape: [256, 160], data: weight }, 1));
    const entries = new Float32Array(256).fill(-1 / Math.sqrt(255)).fill(7, 0, 1);
    results.product.data.forEach((value, j) => {
      const expected = entries.reduce((sum, entry, i) => sum + entry * matrix[i * 160 + j], 0);
      expect(value).toBeCloseTo(expected, 1);
    });
  });
});

describe('activationRanges', () => {
  const size = { dModel: 32, heads: 2, dInner: 48, encoderLayers: 2, decoderLayers: 1, dropout: 0 };
  const modelOf = (architecture: Partial<TransformerConfig>) => {
    const config = transformerConfig({ ...size, ...architecture }, { sourceVocabularySize: 17 });
    const logits = batchLogits(new Transformer(config));
    const parameters = ParameterSet.initialize(parametersOf([logits]), 5);
    return { config, logits, parameters, ranges: activationRanges([logits], parameters.weights()) };
  };
  const unknownIn = ({ parameters, ranges }: Pick<ReturnType<typeof modelOf>, 'parameters' | 'ranges'>) =>
    parameters.parameters
      .filter(({ name, shape }) => shape.length === 2 && !ranges.has(name))
      .map(({ name }) => name)
      .toSorted();

  it.each([
    {},
    { norm: 'pre' },
    { positions: 'concatenated' },
    { positions: 'learned', maxPositions: 9 },
    { positions: 'none', embeddings: 'separate' },
  ] as const)('are known for all products of a model like %j', (architecture) => {
    const looked = /[eE]mbedding|positions/; // up, not multiplied with, unless tied
    expect(unknownIn(modelOf(architecture)).filter((name) => !looked.test(name))).toEqual([]);
  });

  it('are unknown for embeddings with a row much longer than the others, and for what depends on them', () => {
    const { logits, parameters } = modelOf({ embeddings: 'separate' });
    const [embedding] = parameters.parameters.filter(({ name }) => name === 'sourceEmbedding.weight');
    embedding.data.subarray(0, 32).fill(1);
    const names = unknownIn({ parameters, ranges: activationRanges([logits], parameters.weights()) });
    const first = ['key', 'output', 'query', 'value'].map((name) => `encoder.layers.0.selfAttention.${name}.weight`);
    expect(names).toEqual([...first, 'sourceEmbedding.weight', 'targetEmbedding.weight']);
  });

  it('are unknown after other activations', () => {
    const names = unknownIn(modelOf({ norm: 'pre', activation: 'gelu' }));
    expect(names).toEqual(
      ['decoder.layers.0', 'encoder.layers.0', 'encoder.layers.1'].map((layer) => `${layer}.feedForward.output.weight`),
    );
  });

  it.each(['post', 'pre'] as const)('cover the activations of a whole model, %s-norm', async (norm) => {
    const { logits, parameters, ranges } = modelOf({ norm });
    const outputs: Record<string, Tensor> = {};
    for (const [name, tensor] of namedTensors([logits])) {
      if (/Attention\.heads$|feedForward\.active$/.test(name)) outputs[name] = tensor;
    }
    const program = await compile(outputs, { weights: parameters.weights() });
    const ids = (length: number) => ({
      shape: [8, length],
      data: Int32Array.from({ length: 8 * length }, () => 3 + random.integer(14)),
    });
    const feeds = new Map([
      ['source', ids(9)],
      ['target', ids(7)],
    ]);
    const results = await program.run(feeds);
    const known = Object.entries(results).flatMap(([name, { data }]) => {
      const reach = ranges.get(name.replace(/(heads|active)$/, 'output.weight'));
      return reach === undefined ? [] : [{ reach, data }];
    });
    expect(known).toHaveLength(7);
    for (const { reach, data } of known) {
      const highest = (data as Float32Array).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      expect(highest).toBeLessThan(reach.limit);
      expect(highest).toBeGreaterThan(reach.limit / 10);
      expect(reach.isNonNegative).toBe((data as Float32Array).every((value) => value >= 0));
    }
  });
});
