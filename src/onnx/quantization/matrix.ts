// Matrices as int8, with a scale for each row or each column.

import { isA, nodesAndBodies, operators, type Tensor } from '../../tensor/index.ts';
import { any, match, matmul, parameter } from '../pattern.ts';
import type { ActivationRange } from './activation-range.ts';

/** A matrix as int8: entry (i, j) is data · scale, with a scale for each row (axis 0) or each column (axis 1). */
export interface QuantizedMatrix {
  readonly shape: readonly [rows: number, columns: number];
  readonly data: Int8Array;
  readonly scales: Float32Array;
  readonly axis: 0 | 1;
  /** Of the rows that it is multiplied with; undefined: they are quantized dynamically, each by its largest entry. */
  readonly inputRange?: ActivationRange | undefined;
}

/**
 * The largest code of a weight. Processors without VNNI add pairs of products in 16 bits: 255 · 63 · 2 fits, 255 · 127 · 2
 * would be cut off; and to have the engine widen the products costs more than a third of its speed (docs/log.md).
 */
export const LARGEST_WEIGHT = 63;

/** The codes of the transposed matrix. */
export function transposedCodes({ shape: [rows, columns], data }: QuantizedMatrix): Int8Array {
  const turned = new Int8Array(data.length);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) turned[j * rows + i] = data[i * columns + j];
  }
  return turned;
}

/** The nearest int8 matrix: each row or column is scaled so that its largest entry becomes ±63. */
export function quantizeMatrix(
  { shape, data }: { shape: readonly number[]; data: Float32Array },
  axis: 0 | 1,
): QuantizedMatrix {
  const [rows, columns] = shape;
  const scales = new Float32Array(shape[axis]);
  const scaleOf = (i: number) => (axis === 0 ? Math.floor(i / columns) : i % columns);
  data.forEach((value, i) => {
    scales[scaleOf(i)] = Math.max(scales[scaleOf(i)], Math.abs(value) / LARGEST_WEIGHT);
  });
  const codes = Int8Array.from(data, (value, i) => (value === 0 ? 0 : Math.round(value / scales[scaleOf(i)])));
  return { shape: [rows, columns], data: codes, scales, axis };
}

/** The floats that an int8 matrix stands for. */
export function dequantizeMatrix({ shape: [rows, columns], data, scales, axis }: QuantizedMatrix): Float32Array {
  const floats = new Float32Array(data.length);
  for (let i = 0, row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, i++) floats[i] = data[i] * scales[axis === 0 ? row : column];
  }
  return floats;
}

const product = matmul(any('x'), parameter('factor'));

/**
 * How each matrix among the parameters of a graph is to be quantized, by name: one that is multiplied with has a scale for
 * each column (axis 1), one whose rows are looked up (and whose transpose may be multiplied with) one for each row (axis 0).
 */
export function quantizationAxes(outputs: Iterable<Tensor>): Map<string, 0 | 1> {
  const axes = new Map<string, 0 | 1>();
  for (const node of nodesAndBodies(outputs)) {
    if (isA(node, operators.parameter) && node.shape.length === 2) axes.set(node.attributes.name, 0);
    const found = match(product, node);
    if (found !== undefined) axes.set(found.factor.attributes.name, 1);
  }
  return axes;
}
