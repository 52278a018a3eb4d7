// Operators that move numbers: reshape, transpose, concatenate, slice, pad.

import { HeedError } from '../../base/error.ts';
import type { Operator } from '../operator.ts';
import { type Dim, differenceOf, formatShape, type Shape, sumOf } from '../shape.ts';
import { isA, type Tensor } from '../tensor.ts';
import { entry, tabulate } from '../value.ts';

export interface ReshapeAttributes {
  /** The input's shape, with its named dimensions. */
  readonly from: Shape;
  readonly shape: Shape;
}

/** An optional second input has the target shape: needed if several named dimensions move. */
export const reshape: Operator<ReshapeAttributes> = {
  name: 'reshape',
  infer([x], { shape }) {
    if (factors(x.shape) !== factors(shape)) {
      const rule = 'needs the same number of entries before and after';
      throw new HeedError('reshape', `${rule}, got ${formatShape(x.shape)} to ${formatShape(shape)}.`);
    }
    return [{ dtype: x.dtype, shape }];
  },
  gradient({ inputs: [x, like], gradient: g, f }) {
    return [f.reshape(g, x.shape, x), ...(like === undefined ? [] : [undefined])];
  },
  lower(emit, [x, like], { attributes: { from, shape } }) {
    const target = like === undefined ? emit.int64s(reshapeTarget(from, shape)) : emit.node('Shape', [like]);
    // Else a 0 copies the dimension at its axis.
    return [emit.node('Reshape', [x, target], isEmpty(shape) ? { allowzero: 1 } : {})];
  },
  evaluate([x, like], { from, shape }) {
    if (like !== undefined) return [{ shape: like.shape, data: x.data }];
    if (isEmpty(shape)) return [{ shape: reshapeTarget(from, shape), data: x.data }];
    const target = reshapeTarget(from, shape).map((dim, axis) => (dim === 0 ? x.shape[axis] : dim));
    const known = target.reduce((product, dim) => (dim === -1 ? product : product * dim), 1);
    return [{ shape: target.map((dim) => (dim === -1 ? x.data.length / known : dim)), data: x.data }];
  },
};

/** Whether all dimensions are known, and one of them is 0. */
function isEmpty(shape: Shape): boolean {
  return shape.includes(0) && shape.every((dim) => typeof dim === 'number');
}

/** Whether the target shape suffices without a second input: at most one named dimension moves. */
export function isPlainReshape(from: Shape, to: Shape): boolean {
  return to.filter((dim, axis) => typeof dim === 'string' && dim !== from[axis]).length <= 1;
}

/** A shape's number of entries as text, for comparing shapes: `[batch, 4, 8]` gives `32*batch`. */
function factors(shape: Shape): string {
  const parts = shape.flatMap((dim) => String(dim).split('*'));
  const names = parts.filter((part) => Number.isNaN(Number(part)));
  const known = parts
    .filter((part) => !Number.isNaN(Number(part)))
    .reduce((product, part) => product * Number(part), 1);
  return [known, ...names.toSorted()].join('*');
}

/** The shape argument for ONNX: 0 copies the dimension at that axis, one -1 is inferred. */
function reshapeTarget(from: Shape, to: Shape): number[] {
  if (!isPlainReshape(from, to)) {
    const rule = 'at most one named dimension may change its place';
    throw new HeedError('reshape', `${rule}, got ${formatShape(from)} to ${formatShape(to)}.`);
  }
  return to.map((dim, axis) => (typeof dim === 'number' ? dim : dim === from[axis] ? 0 : -1));
}

export interface TransposeAttributes {
  /** For each axis of the output, the axis of the input. */
  readonly order: readonly number[];
}

export const transpose: Operator<TransposeAttributes> = {
  name: 'transpose',
  infer([x], { order }) {
    if (order.length !== x.shape.length || order.toSorted((a, b) => a - b).some((axis, i) => axis !== i)) {
      throw new HeedError('transpose', `order must name each axis of ${formatShape(x.shape)} once, got ${order}.`);
    }
    return [{ dtype: x.dtype, shape: order.map((axis) => x.shape[axis]) }];
  },
  gradient: ({ attributes: { order }, gradient: g, f }) => [f.permute(g, inverse(order))],
  lower: (emit, inputs, { attributes: { order } }) => [emit.node('Transpose', inputs, { perm: order })],
  evaluate([x], { order }) {
    const back = inverse(order);
    const shape = order.map((axis) => x.shape[axis]);
    return [
      tabulate(shape, (index) =>
        entry(
          x,
          back.map((axis) => index[axis]),
        ),
      ),
    ];
  },
};

/** The permutation of a transpose node. */
export function orderOf(x: Tensor): readonly number[] | undefined {
  return isA(x, transpose) ? x.attributes.order : undefined;
}

/** Whether a permutation keeps the order of axes longer than 1. */
export function keepsEntriesInPlace(shape: Shape, order: readonly number[]): boolean {
  const long = order.filter((axis) => shape[axis] !== 1);
  return long.every((axis, i) => i === 0 || long[i - 1] < axis);
}

/** The permutation that swaps the last two axes. */
export function matrixTransposition(rank: number): number[] {
  return [...Array(rank - 2).keys(), rank - 1, rank - 2];
}

/** The input of x, if x is a transpose of matrices. */
export function transposedOf(x: Tensor): Tensor | undefined {
  const order = orderOf(x);
  const isOfMatrices = order !== undefined && matrixTransposition(order.length).every((axis, i) => axis === order[i]);
  return isOfMatrices ? x.inputs[0] : undefined;
}

function inverse(order: readonly number[]): number[] {
  return order.map((_, axis) => order.indexOf(axis));
}

export interface ConcatenateAttributes {
  readonly axis: number;
}

export const concatenate: Operator<ConcatenateAttributes> = {
  name: 'concatenate',
  infer(inputs, { axis }) {
    const [first] = inputs;
    const differs = (shape: Shape) => shape.some((dim, other) => other !== axis && dim !== first.shape[other]);
    if (
      inputs.some(({ shape, dtype }) => shape.length !== first.shape.length || differs(shape) || dtype !== first.dtype)
    ) {
      const got = inputs.map(({ shape }) => formatShape(shape)).join(' and ');
      throw new HeedError('concatenate', `shapes may differ along axis ${axis} only, got ${got}.`);
    }
    const joined = sumOf(inputs.map(({ shape }) => shape[axis]));
    return [{ dtype: first.dtype, shape: first.shape.map((dim, other) => (other === axis ? joined : dim)) }];
  },
  gradient({ inputs, attributes: { axis }, gradient: g, f }) {
    let start = 0;
    return inputs.map(({ shape }) => {
      const length = knownLength('concatenate', shape[axis]);
      const part = f.slice(g, { axis, start, end: start + length });
      start += length;
      return part;
    });
  },
  lower: (emit, inputs, { attributes: { axis } }) => [emit.node('Concat', inputs, { axis })],
  evaluate(inputs, { axis }) {
    const length = inputs.reduce((sum, { shape }) => sum + shape[axis], 0);
    const shape = inputs[0].shape.map((dim, other) => (other === axis ? length : dim));
    const joined = tabulate(shape, (index) => {
      let place = index[axis];
      let which = 0;
      while (place >= inputs[which].shape[axis]) place -= inputs[which++].shape[axis];
      return entry(inputs[which], index.with(axis, place));
    });
    return [joined];
  },
};

/** Negative indices count from the end: −1 is the last. */
export interface SliceAttributes {
  readonly axis: number;
  readonly start: number;
  /** One past the last; default: to the end. */
  readonly end?: number | undefined;
}

export const slice: Operator<SliceAttributes> = {
  name: 'slice',
  infer([x], { axis, start, end }) {
    const length = x.shape[axis];
    // `past+4` is at least 4.
    const known =
      typeof length === 'number' ? length : Number(length.split('+').at(-1)) || knownLength('slice', length);
    const [from, to] = [placeOf(start, known), end === undefined ? known : placeOf(end, known)];
    const isMixed = start < 0 && end !== undefined && end >= 0;
    if (from < 0 || from > to || to > known || isMixed) {
      throw new HeedError('slice', `must lie within 0…${length}, got ${start}…${end ?? length}.`);
    }
    // From a positive start to a negative end: the length of the axis minus both.
    const isThrough = start >= 0 && (end === undefined || end < 0);
    const size = isThrough ? differenceOf(length, start - (end ?? 0)) : to - from;
    return [{ dtype: x.dtype, shape: x.shape.with(axis, size) }];
  },
  gradient({ inputs: [x], attributes: { axis, start, end }, gradient: g, f }) {
    const before = start < 0 ? knownLength('slice', x.shape[axis]) + start : start;
    const after = end === undefined ? 0 : end < 0 ? -end : knownLength('slice', x.shape[axis]) - end;
    return [f.pad(g, { axis, before, after })];
  },
  lower(emit, [x], { attributes: { axis, start, end = TO_THE_END } }) {
    return [emit.node('Slice', [x, emit.int64s([start]), emit.int64s([end]), emit.int64s([axis])])];
  },
  evaluate([x], { axis, start, end = x.shape[axis] }) {
    const length = x.shape[axis];
    const from = placeOf(start, length);
    const shape = x.shape.with(axis, placeOf(end, length) - from);
    return [tabulate(shape, (index) => entry(x, index.with(axis, index[axis] + from)))];
  },
};

function placeOf(place: number, length: number): number {
  return place < 0 ? length + place : place;
}

/** ONNX clamps a slice's end to the length of its axis. */
const TO_THE_END = 2 ** 31 - 1;

export interface PadAttributes {
  readonly axis: number;
  readonly before: number;
  readonly after: number;
}

/** Zeros put before and after along one axis. */
export const pad: Operator<PadAttributes> = {
  name: 'pad',
  infer([x], { axis, before, after }) {
    return [{ dtype: x.dtype, shape: x.shape.with(axis, sumOf([before, x.shape[axis], after])) }];
  },
  gradient({ inputs: [x], attributes: { axis, before }, gradient: g, f }) {
    return [f.slice(g, { axis, start: before, end: before + knownLength('pad', x.shape[axis]) })];
  },
  lower(emit, [x], { inputs, attributes: { axis, before, after } }) {
    const rank = inputs[0].shape.length;
    const amounts = new Array<number>(2 * rank)
      .fill(0)
      .with(axis, before)
      .with(rank + axis, after);
    return [emit.node('Pad', [x, emit.int64s(amounts)])];
  },
  evaluate([x], { axis, before, after }) {
    const shape = x.shape.with(axis, before + x.shape[axis] + after);
    const padded = tabulate(shape, (index) => {
      const place = index[axis] - before;
      return place < 0 || place >= x.shape[axis] ? 0 : entry(x, index.with(axis, place));
    });
    return [padded];
  },
};

function knownLength(operator: string, dim: Dim): number {
  if (typeof dim === 'string') throw new HeedError(operator, `needs a known length along its axis, got ${dim}.`);
  return dim;
}
