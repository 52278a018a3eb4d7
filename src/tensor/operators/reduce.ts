// Sums along axes, and their reverse: stretching to the shape of another tensor.

import { HeedError } from '../../base/error.ts';
import type { Operator } from '../operator.ts';
import { broadcastShapes, formatShape, sameShape } from '../shape.ts';
import { entry, stridesOf, tabulate } from '../value.ts';

export interface SumAttributes {
  readonly axes: readonly number[];
  /** Whether the summed axes stay, with size 1. */
  readonly keep: boolean;
}

export const sum: Operator<SumAttributes> = {
  name: 'sum',
  infer([x], { axes, keep }) {
    if (axes.some((axis) => axis < 0 || axis >= x.shape.length)) {
      throw new HeedError('sum', `axes must lie within ${formatShape(x.shape)}, got ${axes}.`);
    }
    const shape = keep
      ? x.shape.map((dim, axis) => (axes.includes(axis) ? 1 : dim))
      : x.shape.filter((_, axis) => !axes.includes(axis));
    return [{ dtype: x.dtype, shape }];
  },
  gradient({ inputs: [x], attributes: { axes, keep }, gradient: g, f }) {
    const kept = keep ? g : axes.toSorted((a, b) => a - b).reduce((grown, axis) => f.insertAxis(grown, axis), g);
    return [f.stretchTo(kept, x)];
  },
  lower(emit, [x], { attributes: { axes, keep } }) {
    return [emit.node('ReduceSum', [x, emit.int64s(axes)], { keepdims: keep ? 1 : 0 })];
  },
  evaluate([x], { axes, keep }) {
    const shape = x.shape.map((dim, axis) => (axes.includes(axis) ? 1 : dim));
    const strides = stridesOf(shape);
    const data = new Float64Array(shape.reduce((product, dim) => product * dim, 1));
    tabulate(x.shape, (index) => {
      const place = index.reduce((offset, i, axis) => offset + (axes.includes(axis) ? 0 : i * strides[axis]), 0);
      data[place] += entry(x, index);
      return 0;
    });
    return [{ shape: keep ? shape : x.shape.filter((_, axis) => !axes.includes(axis)), data }];
  },
};

/** The first input, stretched by broadcasting to the shape of the second, of which only the shape is used. */
export const stretch: Operator<Record<string, never>> = {
  name: 'stretch',
  infer([x, like]) {
    const shape = broadcastShapes(x.shape, like.shape);
    if (shape === undefined || !sameShape(shape, like.shape)) {
      throw new HeedError('stretch', `${formatShape(x.shape)} does not stretch to ${formatShape(like.shape)}.`);
    }
    return [{ dtype: x.dtype, shape }];
  },
  gradient: ({ inputs: [x], gradient: g, f }) => [f.sumTo(g, x.shape), undefined],
  lower: (emit, [x, like]) => [emit.node('Expand', [x, emit.node('Shape', [like])])],
  evaluate: ([x, like]) => [tabulate(like.shape, (index) => entry(x, index))],
};
