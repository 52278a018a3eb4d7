import { describe, expect, it } from 'vitest';
import { add, addScalar, input, multiply, scale } from './functions.ts';
import { dimension, named, namedTensors, type Tensor, topologicalOrder } from './tensor.ts';

const x = input('x', 'float32', ['batch', 4]);

describe('topologicalOrder', () => {
  it('contains each node once, after its inputs', () => {
    const doubled = scale(x, 2);
    const square = multiply(doubled, doubled);
    const order = topologicalOrder([square, doubled, add(square, x)]);
    expect(new Set(order).size).toBe(order.length);
    expect(order).toHaveLength(4);
    for (const node of order) {
      for (const source of node.inputs) expect(order.indexOf(source)).toBeLessThan(order.indexOf(node));
    }
  });

  it('walks a chain of 10,000 nodes', () => {
    let last: Tensor = x;
    for (let i = 0; i < 9_999; i++) last = addScalar(last, 1);
    const order = topologicalOrder([last]);
    expect(order).toHaveLength(10_000);
    expect(order[0]).toBe(x);
    expect(order[9_999]).toBe(last);
  });

  it('takes linear time for a ladder of nodes', () => {
    let last: Tensor = x;
    for (let i = 0; i < 100; i++) last = add(last, last);
    expect(topologicalOrder([last])).toHaveLength(101);
  });
});

describe('names', () => {
  it('are found from the outputs, in the order of computation', () => {
    const first = named('first', scale(x, 2));
    const second = named('second', addScalar(first, 1));
    expect([...namedTensors([scale(second, 3)])]).toEqual([
      ['first', first],
      ['second', second],
    ]);
  });

  it('may be several for one tensor', () => {
    const both = named('stack.output', named('layer.result', scale(x, 2)));
    expect([...namedTensors([both])]).toEqual([
      ['layer.result', both],
      ['stack.output', both],
    ]);
  });

  it('leave the tensor as it was', () => {
    const plain = scale(x, 2);
    expect({ ...named('result', plain), names: [] }).toEqual(plain);
    expect(plain.names).toEqual([]);
  });
});

describe('dimension', () => {
  it('counts from either end', () => {
    expect([dimension(x, 0), dimension(x, -1)]).toEqual(['batch', 4]);
  });

  it.each([2, -3])('has no axis %i of two', (axis) => {
    expect(() => dimension(x, axis)).toThrow(`dimension: no axis ${axis} in a tensor of shape [batch, 4].`);
  });
});
