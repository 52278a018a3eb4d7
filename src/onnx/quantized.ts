// Products with int8 weights: a quarter of the memory, and whole-number arithmetic.
// The step of the activations is fixed, so that the result of a row never depends on the other rows of its batch, as it
// would with a step for the tensor at hand. Normalised rows have a known reach, from which their step follows; any other row
// is first divided by its own largest entry.

import { type ParameterAttributes, type Tensor, topologicalOrder } from '../tensor/index.ts';
import type { GraphWriter } from './writer.ts';

/** A matrix as int8: entry (i, j) is data · scale, with a scale for each row (axis 0) or each column (axis 1). */
export interface QuantizedMatrix {
  readonly shape: readonly [rows: number, columns: number];
  readonly data: Int8Array;
  readonly scales: Float32Array;
  readonly axis: 0 | 1;
}

/**
 * The largest code of a weight. Processors without VNNI add pairs of products in 16 bits: 255 · 63 · 2 fits, 255 · 127 · 2
 * would be cut off; and to have the engine widen the products costs more than a third of its speed (docs/log.md).
 */
export const LARGEST_WEIGHT = 63;
/** Activations become whole numbers from 1 to 255 around this one. */
const ZERO_POINT = 128;
const STEP = 1 / 127;

/** How far entries of normalised rows are from their mean at most, in standard deviations; further ones are cut off there. */
const REACH = 7;
/** What a fixed step may cover at most, in standard deviations of all entries: with a few large gains it is too coarse for the rest. */
const WIDEST = 10;

export interface QuantizedFactor {
  readonly name: string;
  readonly matrix: QuantizedMatrix;
  /** The largest absolute entry that the other factor is taken to have. */
  readonly reach: number;
}

/** x [… k] × int8 [k, n] → [… n], from rows that keep within a reach. @param bias [n], added if it is given */
export function lowerQuantizedProduct(
  writer: GraphWriter,
  [x, ...bias]: readonly string[],
  { name, matrix, reach }: QuantizedFactor,
): string {
  const step = writer.floats(reach * STEP);
  const codes = writer.node('QuantizeLinear', [x, step, writer.uint8(ZERO_POINT)]);
  const weights = writer.shared({
    name: `${name}.int8`,
    shape: matrix.axis === 1 ? matrix.shape : matrix.shape.toReversed(),
    data: matrix.axis === 1 ? matrix.data : transposed(matrix),
  });
  const scales = writer.shared({ name: `${name}.scale`, shape: [matrix.scales.length], data: matrix.scales });
  // Between the zero point and the bias stands the weights' zero point, which is zero and so left out.
  const inputs = [codes, weights, step, scales, writer.uint8(ZERO_POINT), ...(bias.length > 0 ? ['', ...bias] : [])];
  return writer.node('com.microsoft:MatMulIntegerToFloat', inputs);
}

/** The same from any rows: each is divided by its largest entry first. In a row of zeros whatever that gives is times zero again. */
export function lowerMeasuredProduct(writer: GraphWriter, x: string, factor: Omit<QuantizedFactor, 'reach'>): string {
  const largest = writer.node('ReduceMax', [writer.node('Abs', [x]), writer.int64s([-1])], { keepdims: 1 });
  const product = lowerQuantizedProduct(writer, [writer.node('Div', [x, largest])], { ...factor, reach: 1 });
  return writer.node('Mul', [product, largest]);
}

/** How large entries of x get if it is a layer normalisation, by its gain and bias; undefined if that would be too coarse a measure. */
export function reachOfNormalized(x: Tensor, weights: ReadonlyMap<string, Float32Array>): number | undefined {
  if (x.operator.name !== 'layerNormalization') return undefined;
  const [gain, bias] = x.inputs.slice(1).map(({ attributes }) => weights.get((attributes as ParameterAttributes).name));
  if (gain === undefined || bias === undefined) return undefined;
  const reach = gain.reduce((most, value, i) => Math.max(most, REACH * Math.abs(value) + Math.abs(bias[i])), 0);
  const deviation = Math.hypot(...gain, ...bias) / Math.sqrt(gain.length);
  return reach < WIDEST * deviation ? reach : undefined;
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
export function dequantizeMatrix({ shape: [, columns], data, scales, axis }: QuantizedMatrix): Float32Array {
  return Float32Array.from(data, (code, i) => code * scales[axis === 0 ? Math.floor(i / columns) : i % columns]);
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
