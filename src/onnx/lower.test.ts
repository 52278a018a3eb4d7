import { describe, expect, it } from 'vitest';
import {
  add,
  addScalar,
  constant,
  constantIds,
  crossEntropy,
  input,
  keepMask,
  layerNormalization,
  multiply,
  outputAt,
  parameter,
  relu,
  scale,
  type Tensor,
} from '../tensor/index.ts';
import { lower } from './lower.ts';

const x = input('x', 'float32', ['batch', 2]);

describe('lower', () => {
  it('writes each node once, after its inputs, and the outputs under their keys', () => {
    const doubled = scale(x, 2);
    const { graph } = lower({ doubled, squared: multiply(doubled, doubled) });
    expect(graph.nodes.map(({ type }) => type)).toEqual(['Mul', 'Mul', 'Identity', 'Identity']);
    const known = new Set([...graph.inputs, ...graph.initializers].map(({ name }) => name));
    for (const { inputs, outputs } of graph.nodes) {
      expect(inputs.every((name) => known.has(name))).toBe(true);
      for (const name of outputs) known.add(name);
    }
    expect(graph.inputs).toEqual([{ name: 'x', dtype: 'float32', shape: ['batch', 2] }]);
    expect(graph.outputs).toEqual([
      { name: 'doubled', dtype: 'float32', shape: ['batch', 2] },
      { name: 'squared', dtype: 'float32', shape: ['batch', 2] },
    ]);
  });

  it('may return an input, or one result twice', () => {
    const y = relu(x);
    const { graph } = lower({ same: x, first: y, second: y });
    expect(graph.nodes.map(({ type, outputs }) => [type, outputs[0]])).toEqual([
      ['Relu', 'Relu.0.0'],
      ['Identity', 'same'],
      ['Identity', 'first'],
      ['Identity', 'second'],
    ]);
  });

  it('gives names to each output of an operator with several', () => {
    const ids = input('ids', 'int32', ['batch']);
    const loss = crossEntropy(x, ids, 0.1);
    const { graph } = lower({ loss, likelihood: outputAt(loss, 1) });
    const [total, likelihood] = graph.nodes.slice(-2);
    expect(total.inputs).not.toEqual(likelihood.inputs);
    expect(graph.nodes.filter(({ type }) => type === 'Softmax')).toHaveLength(1);
  });

  it('leaves out what a normalisation gives besides, unless somebody reads it', () => {
    const [gain, bias] = [constant([2], [1, 1]), constant([2], [0, 0])];
    const y = layerNormalization(x, gain, bias, 1e-6);
    const outputsOf = (outputs: Record<string, Tensor>) => lower(outputs).graph.nodes[0].outputs.length;
    expect(outputsOf({ y })).toBe(1);
    expect(outputsOf({ y, mean: outputAt(y, 1) })).toBe(2);
    expect(outputsOf({ y, inverse: outputAt(y, 2) })).toBe(3);
  });

  it('shares equal small constants, by kind, shape and value', () => {
    const ones = [constant([1, 2], [1, 1]), constant([2], [1, 1])];
    const total = [addScalar(x, 3), scale(x, 3), ...ones].reduce(add);
    const { graph } = lower({ total, ids: constantIds([2], [1, 1]) });
    expect(graph.initializers.map(({ name }) => name)).toEqual([
      'float[](3)',
      'float[1,2](1,1)',
      'float[2](1,1)',
      'int32[2](1,1)',
    ]);
  });

  it('feeds keep-masks as inputs of their own', () => {
    const dropped = multiply(multiply(x, keepMask(['batch', 2], 0.1)), keepMask([2], 0.3));
    const { graph, keepMasks } = lower({ dropped });
    expect(keepMasks).toEqual(
      new Map([
        ['keepMask.0', { shape: ['batch', 2], rate: 0.1 }],
        ['keepMask.1', { shape: [2], rate: 0.3 }],
      ]),
    );
    expect(graph.inputs.map(({ name }) => name)).toEqual(['x', 'keepMask.0', 'keepMask.1']);
  });
});

describe('parameters', () => {
  const weight = parameter('weight', [2], { kind: 'constant', value: 0 });
  const outputs = { product: multiply(x, weight) };

  it('are inputs, to be fed', () => {
    const { graph } = lower(outputs);
    expect(graph.inputs.map(({ name }) => name)).toEqual(['x', 'weight']);
    expect(graph.initializers).toEqual([]);
  });

  it('are constants where weights are given', () => {
    const data = Float32Array.of(4, 5);
    const { graph } = lower(outputs, { weights: new Map([['weight', data]]) });
    expect(graph.inputs.map(({ name }) => name)).toEqual(['x']);
    expect(graph.initializers).toEqual([{ name: 'weight', shape: [2], data }]);
  });

  it('must all be among the weights', () => {
    expect(() => lower(outputs, { weights: new Map() })).toThrow('weights: no parameter named weight.');
  });

  it('need names of their own', () => {
    const other = parameter('x', [2], { kind: 'constant', value: 0 });
    expect(() => lower({ sum: add(x, other) })).toThrow('lower: two inputs are named x.');
  });
});
