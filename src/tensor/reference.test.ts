import { describe, expect, it } from 'vitest';
import { add, input, outputAt, scale, top } from './functions.ts';
import { evaluate } from './reference.ts';

const x = input('x', 'float32', ['batch', 3]);
const value = { shape: [1, 3], data: Float64Array.of(4, 6, 5) };

describe('evaluate', () => {
  it('computes each output from the leaves, in float64', () => {
    const [sum, product] = evaluate([add(x, x), scale(x, 0.1)], new Map([[x, value]]));
    expect([...sum.data]).toEqual([8, 12, 10]);
    expect([...product.data]).toEqual([0.4, 0.6000000000000001, 0.5]);
  });

  it('computes all outputs of an operator', () => {
    const { values, places } = top(x, 2);
    const [best, where] = evaluate([values, places], new Map([[x, value]]));
    expect([...best.data, ...where.data]).toEqual([6, 5, 1, 2]);
    expect(outputAt(values, 1).dtype).toBe('int32');
  });

  it('names the kind of leaf whose value is missing', () => {
    expect(() => evaluate([scale(x, 2)], new Map())).toThrow('input: is fed to a run, not computed; give its value.');
  });
});
