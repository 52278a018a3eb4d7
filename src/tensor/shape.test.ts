import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  broadcastShapes,
  type Dim,
  differenceOf,
  formatShape,
  positiveAxis,
  productOf,
  type Shape,
  sameShape,
  stretchedAxes,
  sumOf,
} from './shape.ts';

describe('broadcastShapes', () => {
  it.each<[Shape, Shape, Shape | undefined]>([
    [['batch', 'time', 8], [8], ['batch', 'time', 8]],
    [[8], ['batch', 'time', 8], ['batch', 'time', 8]],
    [
      ['batch', 1, 'time'],
      ['batch', 4, 'time'],
      ['batch', 4, 'time'],
    ],
    [[], ['batch'], ['batch']],
    [['source'], ['target'], undefined],
    [[3], [4], undefined],
    [['batch'], [3], undefined],
  ])('%j and %j give %j', (a, b, expected) => {
    expect(broadcastShapes(a, b)).toEqual(expected);
    expect(broadcastShapes(b, a)).toEqual(expected);
  });

  it('stretchedAxes gives the axes along which a shape is broadcast', () => {
    const dim = fc.constantFrom<Dim>(1, 2, 5, 'batch', 'time');
    fc.assert(
      fc.property(fc.array(dim, { maxLength: 4 }), fc.array(fc.boolean(), { maxLength: 4 }), (large, ones) => {
        const small = large.slice(Math.max(0, large.length - ones.length)).map((d, i) => (ones[i] ? 1 : d));
        expect(broadcastShapes(small, large)).toEqual(large);
        const missing = large.length - small.length;
        const kept = large.map((d, axis) => (stretchedAxes(small, large).includes(axis) ? 1 : d));
        expect(kept.slice(missing)).toEqual(small);
        expect(kept.slice(0, missing).every((d) => d === 1)).toBe(true);
      }),
    );
  });
});

describe('arithmetic of dimensions', () => {
  it.each<[Shape, Dim]>([
    [[2, 3], 6],
    [[], 1],
    [['batch', 4], '4*batch'],
    [['batch', 'source'], 'batch*source'],
    [['batch', 1], 'batch'],
  ])('the product of %j is %j', (dims, expected) => {
    expect(productOf(dims)).toBe(expected);
  });

  it.each<[Shape, Dim]>([
    [[2, 3], 5],
    [['past', 'target'], 'past+target'],
    [['past', 1], 'past+1'],
    [[0, 'past'], 'past'],
  ])('the sum of %j is %j', (dims, expected) => {
    expect(sumOf(dims)).toBe(expected);
  });

  it.each<[Dim, number, Dim]>([
    [5, 2, 3],
    ['past+4', 4, 'past'],
    ['past+4', 1, 'past+3'],
  ])('%j less %j is %j', (dim, less, expected) => {
    expect(differenceOf(dim, less)).toBe(expected);
  });
});

describe('shapes as such', () => {
  it('prints names and numbers', () => {
    expect(formatShape(['batch', 'source', 512])).toBe('[batch, source, 512]');
    expect(formatShape([])).toBe('[]');
  });

  it('are the same if each dimension is', () => {
    expect(sameShape(['batch', 3], ['batch', 3])).toBe(true);
    expect(sameShape(['batch', 3], ['batch'])).toBe(false);
    expect(sameShape(['batch', 3], ['time', 3])).toBe(false);
  });

  it('counts axes from either end', () => {
    expect([positiveAxis(0, 3), positiveAxis(-1, 3), positiveAxis(-3, 3)]).toEqual([0, 2, 0]);
  });
});
