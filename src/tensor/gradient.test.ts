import { describe, expect, it } from 'vitest';
import { add, addScalar, constantIds, gather, input, multiply, relu, sum } from './functions.ts';
import { gradients } from './gradient.ts';
import { evaluate } from './reference.ts';
import { type Tensor, topologicalOrder } from './tensor.ts';

const x = input('x', 'float32', [2]);
const values = { shape: [2], data: Float64Array.of(3, -5) };

/** The gradient of a loss of x only, at the values above. */
function slopeAt(loss: Tensor): number[] {
  const [slope] = gradients(loss, [x]);
  return [...evaluate([slope], new Map([[x, values]]))[0].data];
}

describe('gradients', () => {
  it('add up over the uses of a tensor', () => {
    expect(slopeAt(sum(add(multiply(x, x), x)))).toEqual([7, -9]);
  });

  it('are 1 for the loss itself', () => {
    const loss = sum(x);
    const [slope] = gradients(loss, [loss]);
    expect(evaluate([slope], new Map())[0]).toEqual({ shape: [], data: Float64Array.of(1) });
  });

  it('come in the order of the parameters', () => {
    const y = input('y', 'float32', [2]);
    const loss = sum(multiply(x, y));
    const leaves = new Map([
      [x, values],
      [y, { shape: [2], data: Float64Array.of(10, 20) }],
    ]);
    const [ofY, ofX] = evaluate(gradients(loss, [y, x]), leaves);
    expect([...ofY.data, ...ofX.data]).toEqual([3, -5, 10, 20]);
  });

  it('with respect to inner nodes stop there', () => {
    const inner = relu(x);
    const slope = gradients(sum(multiply(inner, inner)), [inner])[0];
    expect(topologicalOrder([slope]).some(({ operator }) => operator.name === 'positive')).toBe(false);
  });

  it('go through a chain of 10,000 nodes', () => {
    let last: Tensor = x;
    for (let i = 0; i < 10_000; i++) last = addScalar(last, 1);
    expect(slopeAt(sum(last))).toEqual([1, 1]);
  });

  it('need a scalar loss', () => {
    expect(() => gradients(x, [x])).toThrow('gradients: the loss must be a scalar, got [2].');
  });

  it('need a loss that depends on each parameter', () => {
    const stranger = input('stranger', 'float32', [2]);
    const rule = 'gradients: the loss does not depend on parameter 1.';
    expect(() => gradients(sum(x), [x, stranger])).toThrow(rule);
  });

  it('do not propagate through ids', () => {
    const ids = input('ids', 'int32', [3]);
    const table = input('table', 'float32', [4, 2]);
    const loss = sum(gather(table, ids));
    expect(() => gradients(loss, [ids])).toThrow('the loss does not depend on parameter 0.');
  });

  it('of a table need a known number of rows', () => {
    const slots = input('slots', 'float32', ['slots', 2]);
    const loss = sum(gather(slots, constantIds([1], [0])));
    const rule = 'gather: the gradient needs a table with a known number of rows, got slots.';
    expect(() => gradients(loss, [slots])).toThrow(rule);
  });
});
