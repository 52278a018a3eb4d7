import { describe, expect, it } from 'vitest';
import {
  constant,
  flattenRows,
  gelu,
  input,
  keepMask,
  layerNormalization,
  mean,
  pad,
  reshape,
  silu,
  softmax,
  stretchTo,
  sumTo,
  transpose,
  unsqueeze,
} from './functions.ts';
import { evaluate } from './reference.ts';
import type { Tensor } from './tensor.ts';

function valuesOf(tensor: Tensor): number[] {
  return [...evaluate([tensor], new Map())[0].data];
}

describe('softmax', () => {
  it.each([
    [
      [1, 2, 3],
      [0.09003057, 0.24472847, 0.66524096],
    ],
    [
      [10, 20, 30],
      [2.0610600462e-9, 4.5397868609e-5, 0.99995460007],
    ],
    [
      [1000, 2000, 3000],
      [0, 0, 1],
    ],
    [
      [-1e9, -1e9, -1e9],
      [1 / 3, 1 / 3, 1 / 3],
    ],
  ])('of %j is %j', (scores, expected) => {
    valuesOf(softmax(constant([3], scores))).forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i], 7);
    });
  });
});

describe('activations', () => {
  // Values of torch.nn.functional 2.13: gelu (exact) and silu.
  it.each([
    [-2, -0.0455002639, -0.238405844],
    [-0.5, -0.1542687694, -0.1887703344],
    [0, 0, 0],
    [1, 0.8413447461, 0.7310585786],
    [3, 2.9959503059, 2.8577223804],
  ])('at %f', (x, expectedGelu, expectedSilu) => {
    const at = constant([1], [x]);
    expect(valuesOf(gelu(at))[0]).toBeCloseTo(expectedGelu, 8);
    expect(valuesOf(silu(at))[0]).toBeCloseTo(expectedSilu, 8);
  });
});

describe('layerNormalization', () => {
  it('uses the biased variance, and ε inside the square root', () => {
    const weight = constant([2], [1, 2]);
    const bias = constant([2], [0, 5]);
    const [first, second] = valuesOf(layerNormalization(constant([2], [1, 3]), weight, bias, 3));
    expect(first).toBeCloseTo(-1 / Math.sqrt(1 + 3), 12);
    expect(second).toBeCloseTo(2 / Math.sqrt(1 + 3) + 5, 12);
  });
});

describe('layout', () => {
  const x = input('x', 'float32', ['batch', 'time', 6]);

  it('flattens rows and adds axes', () => {
    expect(flattenRows(x).shape).toEqual(['batch*time', 6]);
    expect([0, 1, -1].map((axis) => unsqueeze(x, axis).shape)).toEqual([
      [1, 'batch', 'time', 6],
      ['batch', 1, 'time', 6],
      ['batch', 'time', 6, 1],
    ]);
  });

  it('adds no node if nothing moves', () => {
    expect(reshape(x, ['batch', 'time', 6])).toBe(x);
    expect(pad(x, { axis: 2, before: 0, after: 0 })).toBe(x);
    expect(stretchTo(x, x)).toBe(x);
    expect(sumTo(x, ['batch', 'time', 6])).toBe(x);
  });

  it('sums over the axes that were broadcast', () => {
    expect(sumTo(x, [6]).shape).toEqual([6]);
    expect(sumTo(x, [1, 'time', 1]).shape).toEqual([1, 'time', 1]);
    const ones = constant([2, 3], [1, 1, 1, 1, 1, 1]);
    expect(valuesOf(sumTo(ones, [3]))).toEqual([2, 2, 2]);
    expect(valuesOf(sumTo(ones, [2, 1]))).toEqual([3, 3]);
  });
});

describe('rules', () => {
  it.each([1, 1.5, -0.1, Number.NaN])('keepMask: no rate %f', (rate) => {
    expect(() => keepMask([2], rate)).toThrow(`keepMask: rate must lie in [0, 1), got ${rate}.`);
  });

  it('mean: the width must be known', () => {
    const x = input('x', 'float32', ['batch', 'time']);
    expect(() => mean(x)).toThrow('mean: needs a known last dimension, got time.');
  });

  it('transpose: a vector has one axis only', () => {
    expect(() => transpose(input('x', 'float32', [4]))).toThrow('transpose: needs a matrix, got [4].');
  });
});
