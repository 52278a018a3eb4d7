// Products with int8 weights: a quarter of the memory, and whole-number arithmetic.
// The step of the activations is fixed, so that the result of a row never depends on the other rows of its batch, as it
// would with a step for the tensor at hand. Where the weights tell how far rows go (reach.ts), their step follows from that; any other
// row is first divided by its own largest entry.

import { type ParameterAttributes, type Tensor, topologicalOrder } from '../../tensor/index.ts';
import type { GraphWriter } from '../writer.ts';
import type { Reach } from './activation-range.ts';

/** A matrix as int8: entry (i, j) is data · scale, with a scale for each row (axis 0) or each column (axis 1). */
export interface QuantizedMatrix {
  readonly shape: readonly [rows: number, columns: number];
  readonly data: Int8Array;
  readonly scales: Float32Array;
  readonly axis: 0 | 1;
  /** How far the rows go that it is multiplied with; undefined: they are measured at each run. */
  readonly rows?: Reach | undefined;
}

/**
 * The largest code of a weight. Processors without VNNI add pairs of products in 16 bits: 255 · 63 · 2 fits, 255 · 127 · 2
 * would be cut off; and to have the engine widen the products costs more than a third of its speed (docs/log.md).
 */
export const LARGEST_WEIGHT = 63;
/** Entries become codes from 1 to 255 around this one, or where none is below zero up to 255 from 0 on. */
const ZERO_POINT = 128;

export interface QuantizedFactor {
  readonly name: string;
  readonly matrix: QuantizedMatrix;
  /** Of the other factor. */
  readonly rows: Reach;
}

/** x [… k] × int8 [k, n] → [… n], from rows that keep within a reach. @param bias [n], added if it is given */
export function lowerQuantizedProduct(
  writer: GraphWriter,
  [x, ...bias]: readonly string[],
  { name, matrix, rows: { reach, isPositive } }: QuantizedFactor,
): string {
  const zero = writer.uint8(isPositive ? 0 : ZERO_POINT);
  const step = writer.floats(reach / (isPositive ? 255 : 127));
  const codes = writer.node('QuantizeLinear', [x, step, zero]);
  const weights = writer.shared({
    name: `${name}.int8`,
    shape: matrix.axis === 1 ? matrix.shape : matrix.shape.toReversed(),
    data: matrix.axis === 1 ? matrix.data : transposed(matrix),
  });
  const scales = writer.shared({ name: `${name}.scale`, shape: [matrix.scales.length], data: matrix.scales });
  // Between the zero point and the bias stands the weights' zero point, which is zero and so left out.
  const inputs = [codes, weights, step, scales, zero, ...(bias.length > 0 ? ['', ...bias] : [])];
  return writer.node('com.microsoft:MatMulIntegerToFloat', inputs);
}

/** The same from any rows: each is divided by its largest entry first. In a row of zeros whatever that gives is times zero again. */
export function lowerMeasuredProduct(writer: GraphWriter, x: string, factor: Omit<QuantizedFactor, 'rows'>): string {
  const largest = writer.node('ReduceMax', [writer.node('Abs', [x]), writer.int64s([-1])], { keepdims: 1 });
  const product = lowerQuantizedProduct(writer, [writer.node('Div', [x, largest])], {
    ...factor,
    rows: { reach: 1, isPositive: false },
  });
  return writer.node('Mul', [product, largest]);
}

function transposed({ shape: [rows, columns], data }: QuantizedMatrix): Int8Array {
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

/**
 * How each matrix among the parameters of a graph is to be quantised, by name: one that is multiplied with has a scale for
 * each column, one whose rows are looked up (and whose transpose may be multiplied with) one for each row.
 */
export function quantizationAxes(outputs: Iterable<Tensor>): Map<string, 0 | 1> {
  const axes = new Map<string, 0 | 1>();
  for (const node of topologicalOrder(outputs)) {
    const isMatrix = node.operator.name === 'parameter' && node.shape.length === 2;
    if (isMatrix) axes.set((node.attributes as ParameterAttributes).name, 0);
    const factor = node.operator.name === 'matmul' ? node.inputs[1] : undefined;
    if (factor?.operator.name === 'parameter') axes.set((factor.attributes as ParameterAttributes).name, 1);
  }
  return axes;
}
