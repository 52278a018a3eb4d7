// Matrix products with int8 weights: a quarter of the memory, and integer arithmetic. The scale of the activations is static, so
// that the result of a row never depends on the other rows of its batch, as it would with a scale of the tensor at hand: it follows from
// the activation range where the weights determine one, and any other row is first divided by its own largest entry.

import { dimension, type ParameterAttributes, type Tensor, type TensorOf } from '../../tensor/index.ts';
import { type Fusion, mainOutputs } from '../fusions/fusion.ts';
import type { LowerOptions } from '../options.ts';
import { add, any, either, match, matmul, parameter, relu, transpose } from '../pattern.ts';
import { writeDynamicProduct, writeStaticProduct } from './kernels.ts';
import type { QuantizedMatrix } from './matrix.ts';

/**
 * Entries of a matrix so small that dynamic quantization of the rows costs more than int8 saves, where rows are few: a known number
 * for each sentence (docs/log.md).
 */
const SMALL = 32_768;

/** x W, or x Eᵀ. */
const product = either(matmul(any('x'), parameter('factor')), matmul(any('x'), transpose(parameter('embedding'))));
const productAndBias = add(product, parameter('bias'));

interface Factors {
  readonly x: Tensor;
  /** W [k, n] */
  readonly factor?: TensorOf<ParameterAttributes> | undefined;
  /** E [n, k], if x is multiplied with its transpose. */
  readonly embedding?: TensorOf<ParameterAttributes> | undefined;
}

interface NamedMatrix {
  readonly name: string;
  readonly matrix: QuantizedMatrix;
}

/** How a node is computed if it is a product with a quantized matrix, or that and a bias. */
export function int8Fusion(node: Tensor, options: LowerOptions): Fusion | undefined {
  const factors = match(product, node);
  if (factors !== undefined) return productFusion(factors, options);
  const sum = match(productAndBias, node);
  return sum && productAndBiasFusion(sum, options);
}

function productFusion(factors: Factors, options: LowerOptions): Fusion | undefined {
  const found = int8Matrix(factors, options);
  if (found === undefined) return undefined;
  const { inputRange } = found.matrix;
  return {
    inputs: [rowsOf(factors, found.matrix)],
    emit: (writer, [[x]]) => [
      inputRange === undefined
        ? writeDynamicProduct(writer, x, { ...found, options })
        : writeStaticProduct(writer, [x], { ...found, options, inputRange }),
    ],
  };
}

/** x W + b in one, where the range of x is known. */
function productAndBiasFusion(factors: Factors & { bias: Tensor }, options: LowerOptions): Fusion | undefined {
  const found = int8Matrix(factors, options);
  const inputRange = found?.matrix.inputRange;
  if (found === undefined || inputRange === undefined || factors.bias.shape.length !== 1) return undefined;
  return {
    inputs: [rowsOf(factors, found.matrix), factors.bias],
    emit: (writer, inputs) => [writeStaticProduct(writer, mainOutputs(inputs), { ...found, options, inputRange })],
  };
}

/** The quantized matrix that a product is computed with: with a scale for each column of W, or for each row of E. */
export function int8Matrix({ x, factor, embedding }: Factors, { quantized }: LowerOptions): NamedMatrix | undefined {
  const name = (factor ?? embedding)?.attributes.name ?? '';
  const matrix = quantized?.get(name);
  if (matrix === undefined || matrix.axis !== (factor === undefined ? 0 : 1)) return undefined;
  const hasFewRows = typeof dimension(x, -2) === 'number';
  return matrix.inputRange === undefined && hasFewRows && matrix.data.length <= SMALL ? undefined : { name, matrix };
}

/** Codes that are for entries above zero only make zero of those below, as ReLU would. */
function rowsOf({ x }: Factors, { inputRange }: QuantizedMatrix): Tensor {
  const active = inputRange?.isNonNegative === true ? match(relu(any('x')), x) : undefined;
  return active?.x ?? x;
}
