// Values of the reference evaluator: float64 whatever the dtype, row-major. Written for clarity, not for speed.

import { broadcastShapes } from './shape.ts';

export interface Value {
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, dim) => product * dim, 1);
}

/** The stride of each axis. */
export function stridesOf(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length).fill(1);
  for (let axis = shape.length - 2; axis >= 0; axis--) strides[axis] = strides[axis + 1] * shape[axis + 1];
  return strides;
}

/** A value computed entry by entry; `at` gets the index along each axis. */
export function tabulate(shape: readonly number[], at: (index: readonly number[]) => number): Value {
  const data = new Float64Array(sizeOf(shape));
  const index = new Array<number>(shape.length).fill(0);
  for (let i = 0; i < data.length; i++) {
    data[i] = at(index);
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
  return { shape, data };
}

/** The entry at an index, with broadcasting of missing leading axes and axes of size 1. */
export function entry(value: Value, index: readonly number[]): number {
  const { shape, data } = value;
  const skip = index.length - shape.length;
  let offset = 0;
  for (let axis = 0; axis < shape.length; axis++) {
    offset = offset * shape[axis] + (shape[axis] === 1 ? 0 : index[axis + skip]);
  }
  return data[offset];
}

/** Elementwise with broadcasting. */
export function zip(a: Value, b: Value, f: (x: number, y: number) => number): Value {
  const shape = broadcastShapes(a.shape, b.shape) as readonly number[];
  return tabulate(shape, (index) => f(entry(a, index), entry(b, index)));
}

export function map(a: Value, f: (x: number) => number): Value {
  return { shape: a.shape, data: a.data.map(f) };
}

/** Maps each row along the last axis with a function that fills `out`. */
export function mapRows(a: Value, f: (row: Float64Array, out: Float64Array, index: number) => void): Value {
  const width = a.shape[a.shape.length - 1];
  const data = new Float64Array(a.data.length);
  for (let row = 0; row * width < data.length; row++) {
    const [start, end] = [row * width, (row + 1) * width];
    f(a.data.subarray(start, end), data.subarray(start, end), row);
  }
  return { shape: a.shape, data };
}

/** log softmax of each row along the last axis; the largest entry is subtracted first, so that nothing overflows. */
export function logSoftmaxRows(a: Value): Value {
  return mapRows(a, (row, out) => {
    const largest = Math.max(...row);
    const logSum = largest + Math.log(row.reduce((sum, value) => sum + Math.exp(value - largest), 0));
    row.forEach((value, i) => {
      out[i] = value - logSum;
    });
  });
}
