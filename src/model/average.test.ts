import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParameterSet } from '../runtime/index.ts';
import { averageParameters } from './average.ts';

const shapes = [
  { name: 'embedding.weight', shape: [2, 2] },
  { name: 'encoder.norm.gain', shape: [2] },
];

function setOf(values: readonly number[], of = shapes): ParameterSet {
  const set = new ParameterSet(of);
  set.data.set(values);
  return set;
}

describe('averageParameters', () => {
  it('is the mean of each value', () => {
    const sets = [setOf([1, 2, 3, 4, 5, 6]), setOf([3, 2, 1, 0, -1, -2]), setOf([2, 2, 2, 2, 2, 2.5])];
    const average = averageParameters(sets);
    expect([...average.data]).toEqual([2, 2, 2, 2, 2, Math.fround(6.5 / 3)]);
    expect(average.parameters.map(({ name, shape }) => ({ name, shape }))).toEqual(shapes);
    expect([...sets[0].data]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('rounds the float64 mean once', () => {
    const value = fc.float({ noNaN: true, noDefaultInfinity: true });
    const row = fc.array(value, { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
        const average = averageParameters(rows.map((values) => setOf(values)));
        const expected = rows[0].map((_, i) => mean(rows.map((values) => values[i])));
        expect([...average.data]).toEqual(expected);
      }),
    );
    expect(averageParameters([setOf([1e30]), setOf([1]), setOf([-1e30])]).data[0]).toBe(0);
    expect(averageParameters([setOf([2 ** 24]), setOf([1]), setOf([1])]).data[0]).toBe(Math.fround((2 ** 24 + 2) / 3));
  });

  it('of one set is a copy of it', () => {
    const set = setOf([1, 2, 3, 4, 5, 6]);
    const average = averageParameters([set]);
    expect(average.data).toEqual(set.data);
    expect(average.data).not.toBe(set.data);
  });

  it('refuses an empty list', () => {
    expect(() => averageParameters([])).toThrow('average: needs at least one set of parameters, got none.');
  });

  it.each([
    [[shapes[0], { name: 'encoder.norm.bias', shape: [2] }], 'has encoder.norm.gain [2]', 'has encoder.norm.bias [2].'],
    [[{ name: 'embedding.weight', shape: [4] }, shapes[1]], 'has embedding.weight [2, 2]', 'has embedding.weight [4].'],
    [[shapes[0]], 'has encoder.norm.gain [2]', 'has no more parameters.'],
    [[...shapes, { name: 'output.weight', shape: [1] }], 'has no more parameters', 'has output.weight [1].'],
  ])('refuses a different set and names the difference: %#', (unlike, expected, got) => {
    const sets = [setOf([]), setOf([]), new ParameterSet(unlike)];
    const message = `average: only models of one architecture can be averaged: number 1 ${expected} where number 3 ${got}`;
    expect(() => averageParameters(sets)).toThrow(message);
  });
});

/** As the sum in order, in float64, rounded to float32. */
function mean(values: readonly number[]): number {
  return Math.fround(values.reduce((sum, value) => sum + value, 0) / values.length);
}
