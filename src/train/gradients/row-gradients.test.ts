import { describe, expect, it } from 'vitest';
import { add, input, multiply, scatterAdd } from '../../tensor/index.ts';
import { addRows, splitRows } from './row-gradients.ts';

describe('splitRows', () => {
  const dense = input('dense', 'float32', [5, 2]);
  const ids = input('ids', 'int32', ['batch', 3]);
  const updates = input('updates', 'float32', ['batch', 3, 2]);
  const scattered = scatterAdd(ids, updates, 5);

  it('separates the scattered rows from a sum, at any position in it', () => {
    const squares = multiply(dense, dense);
    const { rest, rows } = splitRows(add(add(scattered, dense), add(squares, scattered)));
    expect(rest).toMatchObject({ operator: { name: 'add' }, inputs: [dense, squares] });
    expect(rows).toEqual([
      { ids, updates },
      { ids, updates },
    ]);
  });

  it('leaves no rest if there are only rows', () => {
    expect(splitRows(scattered)).toEqual({ rest: undefined, rows: [{ ids, updates }] });
  });

  it('does not split other operators or broadcast terms', () => {
    const product = multiply(scattered, dense);
    expect(splitRows(product)).toEqual({ rest: product, rows: [] });
    const stretched = add(scatterAdd(ids, updates, 1), dense);
    expect(splitRows(stretched)).toEqual({ rest: stretched, rows: [] });
  });
});

describe('addRows', () => {
  it('adds each update to the row of its id', () => {
    const sums = Float32Array.of(1, 1, 2, 2, 3, 3);
    addRows(sums, Int32Array.of(2, 0, 2), Float32Array.of(10, 20, 30, 40, 50, 60));
    expect([...sums]).toEqual([31, 41, 2, 2, 63, 83]);
  });
});
