// How products with int8 weights are written: with the engine's own operator, or where it has none with operators of the standard.

import { isSupported, type LowerOptions } from '../options.ts';
import type { GraphWriter } from '../writer.ts';
import type { ActivationRange } from './activation-range.ts';
import { type QuantizedMatrix, transposedCodes } from './matrix.ts';

const OPERATOR = 'com.microsoft:MatMulIntegerToFloat';

/** ONNX's code for float32 as a Cast target. */
const FLOAT = 1;

/** Entries become codes from 1 to 255 around this one; or, where none is below zero, up to 255 from 0 on. */
const ZERO_POINT = 128;

export interface QuantizedFactor {
  readonly name: string;
  readonly matrix: QuantizedMatrix;
  /** Of the other factor. */
  readonly inputRange: ActivationRange;
  readonly options: LowerOptions;
}

/** x [… k] × int8 [k, n] → [… n], for entries of x within a range. @param bias [n], added if it is given */
export function writeStaticProduct(
  writer: GraphWriter,
  [x, ...bias]: readonly string[],
  { name, matrix, inputRange: { limit, isNonNegative }, options }: QuantizedFactor,
): string {
  const zero = writer.uint8(isNonNegative ? 0 : ZERO_POINT);
  const step = limit / (isNonNegative ? 255 : 127);
  const codes = writer.node('QuantizeLinear', [x, writer.floats(step), zero]);
  const weights = writer.shared({
    name: `${name}.int8`,
    shape: matrix.axis === 1 ? matrix.shape : matrix.shape.toReversed(),
    data: matrix.axis === 1 ? matrix.data : transposedCodes(matrix),
  });
  if (!isSupported(OPERATOR, options)) {
    const sums = writer.node('Cast', [writer.node('MatMulInteger', [codes, weights, zero])], { to: FLOAT });
    const scales = matrix.scales.map((scale) => scale * Math.fround(step));
    const shared = writer.shared({ name: `${name}.outputScale`, shape: [scales.length], data: scales });
    const product = writer.node('Mul', [sums, shared]);
    return bias.length > 0 ? writer.node('Add', [product, ...bias]) : product;
  }
  const scales = writer.shared({ name: `${name}.scale`, shape: [matrix.scales.length], data: matrix.scales });
  // Between the zero point and the bias stands the weights' zero point, which is zero and so left out.
  const inputs = [codes, weights, writer.floats(step), scales, zero, ...(bias.length > 0 ? ['', ...bias] : [])];
  return writer.node(OPERATOR, inputs);
}

/** The same for any x: each row is divided by its largest entry first. In a row of zeros whatever that gives is times zero again. */
export function writeDynamicProduct(
  writer: GraphWriter,
  x: string,
  factor: Omit<QuantizedFactor, 'inputRange'>,
): string {
  const largest = writer.node('ReduceMax', [writer.node('Abs', [x]), writer.int64s([-1])], { keepdims: 1 });
  const product = writeStaticProduct(writer, [writer.node('Div', [x, largest])], {
    ...factor,
    inputRange: { limit: 1, isNonNegative: false },
  });
  return writer.node('Mul', [product, largest]);
}
