import { describe, expect, it } from 'vitest';
import { add, matmul, parameter, type Tensor } from '../tensor/index.ts';
import { ParameterSet, parametersOf } from './parameters.ts';

const tensors: readonly Tensor[] = [
  parameter('embedding', [1000, 64], { kind: 'normal', deviation: 0.125 }),
  parameter('linear', [100, 200], { kind: 'uniform', limit: 0.3 }),
  parameter('gain', [64], { kind: 'constant', value: 1 }),
];

function statistics(data: Float32Array) {
  const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
  const variance = data.reduce((sum, value) => sum + (value - mean) ** 2, 0) / data.length;
  return {
    mean,
    deviation: Math.sqrt(variance),
    largest: data.reduce((most, value) => Math.max(most, Math.abs(value)), 0),
  };
}

describe('ParameterSet.initialize', () => {
  const set = ParameterSet.initialize(tensors, 7);
  const [embedding, linear, gain] = set.parameters.map(({ data }) => data);

  it('draws normal values of the deviation asked for', () => {
    const { mean, deviation, largest } = statistics(embedding);
    expect(Math.abs(mean)).toBeLessThan(0.003);
    expect(deviation).toBeCloseTo(0.125, 2);
    expect(largest).toBeGreaterThan(3 * 0.125);
  });

  it('draws uniform values up to the limit, of variance limit² / 3', () => {
    const { mean, deviation, largest } = statistics(linear);
    expect(Math.abs(mean)).toBeLessThan(0.006);
    expect(deviation).toBeCloseTo(0.3 / Math.sqrt(3), 2);
    expect(largest).toBeLessThanOrEqual(Math.fround(0.3));
    expect(largest).toBeGreaterThan(0.299);
  });

  it('fills constants', () => {
    expect(gain.every((value) => value === 1)).toBe(true);
  });

  it('is a function of the seed and the parameter’s name, whatever else the model has', () => {
    expect(ParameterSet.initialize(tensors, 7).data).toEqual(set.data);
    expect(ParameterSet.initialize(tensors, 8).data).not.toEqual(set.data);
    expect(ParameterSet.initialize([tensors[1]], 7).data).toEqual(linear);
  });

  it('takes parameters only', () => {
    const total = add(tensors[1], tensors[1]);
    expect(() => ParameterSet.initialize([total], 1)).toThrow(
      'parameters: needs parameters, got a tensor computed by add.',
    );
  });
});

describe('ParameterSet', () => {
  it('is one buffer, of which each parameter is a view', () => {
    const set = new ParameterSet([
      { name: 'a', shape: [2, 3] },
      { name: 'b', shape: [4] },
    ]);
    expect(set.size).toBe(10);
    set.data.forEach((_, i) => {
      set.data[i] = i;
    });
    expect(set.weights()).toEqual(
      new Map([
        ['a', Float32Array.of(0, 1, 2, 3, 4, 5)],
        ['b', Float32Array.of(6, 7, 8, 9)],
      ]),
    );
  });

  it('copies values; zeros takes names and shapes only', () => {
    const set = ParameterSet.initialize(tensors, 1);
    const copy = set.copy();
    expect(copy.data).toEqual(set.data);
    expect(copy.data.buffer).not.toBe(set.data.buffer);
    const zeros = set.zeros();
    expect(zeros.data.every((value) => value === 0)).toBe(true);
    expect(zeros.parameters.map(({ name, shape }) => [name, shape])).toEqual(
      set.parameters.map(({ name, shape }) => [name, shape]),
    );
    expect(ParameterSet.zerosOf(tensors)).toEqual(zeros);
  });
});

describe('ParameterSet.assign', () => {
  const filled = (shape: number[], value: number) => ({
    shape,
    data: new Float32Array(shape.reduce((size, dim) => size * dim, 1)).fill(value),
  });
  const small = () =>
    new ParameterSet([
      { name: 'a', shape: [2, 3] },
      { name: 'b', shape: [4] },
    ]);

  it('takes over values, in whatever order they come', () => {
    const set = small();
    set.assign(
      new Map([
        ['b', filled([4], 2)],
        ['a', filled([2, 3], 1)],
      ]),
      'file',
    );
    expect([...set.data]).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2, 2]);
  });

  it('needs every parameter', () => {
    const arrays = new Map([['a', filled([2, 3], 1)]]);
    expect(() => small().assign(arrays, 'model.safetensors')).toThrow('model.safetensors: has no parameter b.');
  });

  it('needs the shapes of the architecture', () => {
    const arrays = new Map([
      ['a', filled([3, 2], 1)],
      ['b', filled([4], 1)],
    ]);
    expect(() => small().assign(arrays, 'model.safetensors')).toThrow(
      'model.safetensors: a must be [2, 3] for this architecture, got [3, 2].',
    );
  });

  it('takes no parameter that it has no place for', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const arrays = new Map(names.map((name) => [name, filled(name === 'a' ? [2, 3] : [4], 1)]));
    expect(() => small().assign(arrays, 'model.safetensors')).toThrow(
      'model.safetensors: has parameters that this architecture lacks: c, d, e.',
    );
  });
});

describe('parametersOf', () => {
  it('finds each parameter once, in the order of computation', () => {
    const [a, b] = ['a', 'b'].map((name) => parameter(name, [2, 2], { kind: 'constant', value: 0 }));
    expect(parametersOf([add(matmul(a, b), a)])).toEqual([a, b]);
  });
});
