import { describe, expect, it } from 'vitest';
import { entry, logSoftmaxRows, map, mapRows, sizeOf, stridesOf, tabulate, zip } from './value.ts';

const matrix = { shape: [2, 3], data: Float64Array.of(1, 2, 3, 4, 5, 6) };

describe('values', () => {
  it('are row-major', () => {
    expect(tabulate([2, 3], ([i, j]) => 10 * i + j)).toEqual({
      shape: [2, 3],
      data: Float64Array.of(0, 1, 2, 10, 11, 12),
    });
    expect(stridesOf([2, 3, 4])).toEqual([12, 4, 1]);
    expect([sizeOf([2, 3, 4]), sizeOf([]), sizeOf([2, 0])]).toEqual([24, 1, 0]);
  });

  it('may be empty', () => {
    expect(tabulate([2, 0], () => 1)).toEqual({ shape: [2, 0], data: new Float64Array(0) });
  });

  it('broadcast axes of size 1 and missing axes', () => {
    expect(entry(matrix, [1, 2])).toBe(6);
    expect(entry(matrix, [7, 1, 2])).toBe(6);
    expect(entry({ shape: [2, 1], data: Float64Array.of(8, 9) }, [1, 2])).toBe(9);
    const column = { shape: [2, 1], data: Float64Array.of(10, 20) };
    expect(zip(matrix, column, (x, y) => x + y)).toEqual({
      shape: [2, 3],
      data: Float64Array.of(11, 12, 13, 24, 25, 26),
    });
  });

  it('map by entry and by row', () => {
    expect([...map(matrix, (x) => -x).data]).toEqual([-1, -2, -3, -4, -5, -6]);
    const sums = mapRows(matrix, (row, out, index) => out.fill(row.reduce((sum, x) => sum + x, 100 * index)));
    expect([...sums.data]).toEqual([6, 6, 6, 115, 115, 115]);
  });

  it('have a softmax that does not overflow', () => {
    const { data } = logSoftmaxRows({ shape: [2, 2], data: Float64Array.of(1000, 1000, -1000, 1000) });
    expect(data[0]).toBeCloseTo(Math.log(0.5), 12);
    expect([...data.subarray(2)]).toEqual([-2000, 0]);
  });
});
