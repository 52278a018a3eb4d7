import { describe, expect, it } from 'vitest';
import { add, constant, input, matmul, multiply, parameter, scale, scan, sum, tanh } from './functions.ts';
import { gradients } from './gradient.ts';
import { evaluate } from './reference.ts';
import { type Tensor, topologicalOrder } from './tensor.ts';

function valuesOf(tensors: readonly Tensor[]): number[][] {
  return evaluate(tensors, new Map()).map(({ data }) => [...data]);
}

const numbers = constant([4], [1, 2, 3, 4]);

function runningSum(reverse: boolean) {
  return scan({ states: [constant([], [10])], sequences: [numbers], axis: 0, reverse }, ([sofar], [number]) => {
    const next = add(sofar, number);
    return { states: [next], outputs: [next, sofar] };
  });
}

describe('scan', () => {
  it('carries states from step to step, and stacks outputs', () => {
    const { states, outputs } = runningSum(false);
    expect(valuesOf(states)).toEqual([[20]]);
    expect(valuesOf(outputs)).toEqual([
      [11, 13, 16, 20],
      [10, 11, 13, 16],
    ]);
  });

  it('in reverse begins at the end, with each output at the index of its slice', () => {
    const { states, outputs } = runningSum(true);
    expect(valuesOf(states)).toEqual([[20]]);
    expect(valuesOf(outputs)).toEqual([
      [20, 19, 17, 14],
      [19, 17, 14, 10],
    ]);
  });

  it('has time as the last axis of sequences with fewer axes', () => {
    const x = input('x', 'float32', ['batch', 'time', 3]);
    const { outputs } = scan({ states: [], sequences: [x, input('m', 'float32', ['time'])], axis: 1 }, (_, [a, m]) => {
      expect([a.shape, m.shape]).toEqual([['batch', 3], []]);
      return { states: [], outputs: [a, m] };
    });
    expect(outputs.map(({ shape }) => shape)).toEqual([['batch', 'time', 3], ['time']]);
  });

  it('may return an unchanged state, a captured tensor and a slice', () => {
    const around = constant([], [7]);
    const { states, outputs } = scan({ states: [constant([], [5])], sequences: [numbers], axis: 0 }, ([s], [x]) => {
      return { states: [s], outputs: [around, s, x] };
    });
    expect(valuesOf([...states, ...outputs])).toEqual([[5], [7, 7, 7, 7], [5, 5, 5, 5], [1, 2, 3, 4]]);
  });

  it('has captured tensors as inputs of its node', () => {
    const weight = parameter('weight', [3], { kind: 'constant', value: 1 });
    const doubled = scale(weight, 2);
    const x = input('x', 'float32', ['time', 3]);
    const { outputs } = scan({ states: [], sequences: [x], axis: 0 }, (_, [slice]) => {
      return { states: [], outputs: [multiply(slice, doubled)] };
    });
    const order = topologicalOrder(outputs);
    expect(order).toContain(weight);
    expect(order.indexOf(doubled)).toBeGreaterThan(order.indexOf(weight));
    expect(order.some(({ operator }) => operator.name === 'multiply')).toBe(false);
  });
});

describe('the gradient of a scan', () => {
  const x = input('x', 'float32', ['batch', 'time', 3]);
  const initial = input('initial', 'float32', ['batch', 2]);
  const [w, u] = [3, 2].map((rows, i) => parameter(`weight.${i}`, [rows, 2], { kind: 'constant', value: 1 }));
  const bias = parameter('bias', [2], { kind: 'constant', value: 0 });
  const { outputs } = scan({ states: [initial], sequences: [x], axis: 1 }, ([state], [slice]) => {
    const next = tanh(add(add(matmul(slice, w), matmul(state, u)), bias));
    return { states: [next], outputs: [next] };
  });

  /** The scans that tensors are computed by, the first one first. */
  function scansOf(tensors: readonly Tensor[]): Tensor[] {
    return topologicalOrder(tensors).filter(({ operator }) => operator.name === 'scan');
  }

  it('computes one product per matrix after the steps, and carries states only', () => {
    const slopes = gradients(sum(outputs[0]), [w, u, bias]);
    expect(slopes.map(({ operator, shape }) => [operator.name, shape])).toEqual([
      ['matmul', [3, 2]],
      ['matmul', [2, 2]],
      ['sum', [2]],
    ]);
    const [, backward] = scansOf(slopes);
    expect(backward.attributes).toMatchObject({ axis: 1, reverse: true });
    const { body } = backward.attributes as { body: Record<'states' | 'outputs', Tensor[]> };
    expect(body.states).toHaveLength(1);
    expect(body.outputs).toHaveLength(1); // the gradient of the sum, the only stacked output that the three need in addition
  });

  it('is one scan for all requested gradients', () => {
    expect(scansOf(gradients(sum(outputs[0]), [x, initial, w, u, bias]))).toHaveLength(2);
  });

  it('adds up over outputs and last states', () => {
    const factor = input('factor', 'float32', []);
    const { states, outputs: sums } = scan({ states: [factor], sequences: [numbers], axis: 0 }, ([s], [n]) => {
      return { states: [multiply(s, n)], outputs: [multiply(s, factor)] };
    });
    // 24 f + f² (1 + 1 + 2 + 6), of which the derivative is 24 + 20 f
    const [slope] = gradients(add(states[0], sum(sums[0])), [factor]);
    const [{ data }] = evaluate([slope], new Map([[factor, { shape: [], data: Float64Array.of(3) }]]));
    expect([...data]).toEqual([84]);
  });

  it('is an error if no result depends on a tensor', () => {
    const stranger = input('stranger', 'float32', [4]);
    const { outputs: slices } = scan({ states: [], sequences: [numbers, stranger], axis: 0 }, (_, [number]) => {
      return { states: [], outputs: [number] };
    });
    const rule = 'gradients: the loss does not depend on parameter 0.';
    expect(() => gradients(sum(slices[0]), [stranger])).toThrow(rule);
  });
});
