// Sums along axes, and their reverse: broadcasting to the shape of another tensor.

import { HeedError } from '../../base/error.ts';
import type { Operator } from '../operator.ts';
import { broadcastShapes, formatShape, type Shape, sameShape } from '../shape.ts';
import { entry, stridesOf, tabulate } from '../value.ts';

export interface SumAttributes {
  readonly axes: readonly number[];
  /** Whether the summed axes are kept with size 1. */
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
    const kept = keep ? g : axes.toSorted((a, b) => a - b).reduce((grown, axis) => f.unsqueeze(grown, axis), g);
    return [f.stretchTo(kept, x)];
  },
  lower(emit, [x], { inputs: [{ dtype, shape }], outputs: [total], attributes: { axes, keep } }) {
    const width = dtype === 'float32' ? widthOfRows(shape, axes) : undefined;
    if (width === undefined) return [emit.node('ReduceSum', [x, emit.int64s(axes)], { keepdims: keep ? 1 : 0 })];
    const rows = emit.node('Reshape', [x, emit.int64s([-1, width])]);
    const count = emit.node('Shape', [rows], { start: 0, end: 1 });
    const ones = emit.node('Expand', [emit.floats(1, [1, 1]), count]); // [1, all]
    const sums = emit.node('MatMul', [ones, rows]); // [1, width]
    // Without the reshape onnxruntime fuses a following factor into the product, and its last bits depend on the number of threads.
    return [emit.node('Reshape', [sums, emit.int64s(total.shape.map(Number))])];
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

/**
 * If the axes are the leading ones and the sizes of the others are known: the number of entries for each index of the leading
 * axes. Such sums, the gradients of biases, are products with a row of ones, which is several times faster (docs/log.md).
 */
function widthOfRows(shape: Shape, axes: readonly number[]): number | undefined {
  const rest = shape.slice(axes.length);
  const areLeading = axes.every((axis) => axis < axes.length);
  if (!areLeading || axes.length === 0 || rest.length === 0 || rest.some((dim) => typeof dim === 'string'))
    return undefined;
  return rest.reduce<number>((width, dim) => width * Number(dim), 1);
}

/** The first input, broadcast to the shape of the second, of which only the shape is used. */
export const stretch: Operator<Record<string, never>> = {
  name: 'stretch',
  infer([x, like]) {
    const shape = broadcastShapes(x.shape, like.shape);
    if (shape === undefined || !sameShape(shape, like.shape)) {
      throw new HeedError('stretch', `${formatShape(x.shape)} cannot be broadcast to ${formatShape(like.shape)}.`);
    }
    return [{ dtype: x.dtype, shape }];
  },
  gradient: ({ inputs: [x], gradient: g, f }) => [f.sumTo(g, x.shape), undefined],
  lower: (emit, [x, like]) => [emit.node('Expand', [x, emit.node('Shape', [like])])],
  evaluate: ([x, like]) => [tabulate(like.shape, (index) => entry(x, index))],
};
