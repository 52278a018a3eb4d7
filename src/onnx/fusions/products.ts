// Matrix products that ONNX Runtime computes better than as MatMul of what is written: with a factor transposed on the
// way (its own fusion misses that for heads, whose transposition it merges with another), or with int8 weights.

import { dimension, type ParameterAttributes, type Tensor, untransposed } from '../../tensor/index.ts';
import type { LowerOptions } from '../lower.ts';
import { lowerMeasuredProduct, lowerQuantizedProduct } from '../quantization/matrix.ts';
import { mainOutputs, type Rewriting, withoutScale } from './layout.ts';

/** How a node is computed if it is such a product. */
export function rewrittenProduct(node: Tensor, options: LowerOptions): Rewriting | undefined {
  switch (node.operator.name) {
    case 'matmul':
      return int8Product(node, options) ?? transposedProduct(node);
    case 'scale':
      return scaledProduct(node);
    case 'add':
      return int8ProductAndBias(node.inputs, options);
    default:
      return undefined;
  }
}

function int8Product(node: Tensor, options: LowerOptions): Rewriting | undefined {
  const factors = int8Factors(node, options);
  if (factors === undefined) return undefined;
  const { x, ...factor } = factors;
  const { rows } = factor.matrix;
  const emit: Rewriting['emit'] = (writer, [[name]]) => [
    rows === undefined
      ? lowerMeasuredProduct(writer, name, factor)
      : lowerQuantizedProduct(writer, [name], { ...factor, rows }),
  ];
  return { inputs: [x], emit };
}

/** x W + b in one, where the rows of x need no measuring. */
function int8ProductAndBias([product, bias]: readonly Tensor[], options: LowerOptions): Rewriting | undefined {
  const factors = bias.operator.name === 'parameter' ? int8Factors(product, options) : undefined;
  if (factors?.matrix.rows === undefined || bias.shape.length !== 1) return undefined;
  const { x, ...factor } = factors;
  const { rows } = factors.matrix;
  const emit: Rewriting['emit'] = (writer, inputs) => [
    lowerQuantizedProduct(writer, mainOutputs(inputs), { ...factor, rows }),
  ];
  return { inputs: [x, bias], emit };
}

/**
 * Entries of a matrix so small that to measure the rows which it is multiplied with costs more than int8 saves, where rows are few: a
 * known number for each sentence (docs/log.md).
 */
const SMALL = 32_768;

/** The factors of x W with scaled columns of W, or of x Eᵀ with scaled rows of E. */
function int8Factors({ operator, inputs: [x, factor] }: Tensor, { quantized }: LowerOptions) {
  if (quantized === undefined || operator.name !== 'matmul') return undefined;
  const original = untransposed(factor);
  const parameter = original ?? factor;
  if (parameter.operator.name !== 'parameter') return undefined;
  const { name } = parameter.attributes as ParameterAttributes;
  const matrix = quantized.get(name);
  if (matrix === undefined || matrix.axis !== (original === undefined ? 1 : 0)) return undefined;
  const hasFewRows = typeof dimension(x, -2) === 'number';
  if (matrix.rows === undefined && hasFewRows && matrix.data.length <= SMALL) return undefined;
  // Codes that are for entries above zero only make zero of those below, as ReLU would.
  const isCutOff = matrix.rows?.isPositive === true && x.operator.name === 'relu';
  return { x: isCutOff ? x.inputs[0] : x, name, matrix };
}

/** Batches of products with a factor that is transposed or scaled. For a single matrix the runtime sees it by itself. */
function transposedProduct({ inputs: factors }: Tensor): Rewriting | undefined {
  const isPlain = factors.every((factor) => untransposed(factor) === undefined && factor.operator.name !== 'scale');
  return isPlain || !isBatch(factors) ? undefined : batchOfProducts(factors);
}

/** Batches of products times a number. */
function scaledProduct({ inputs: [product], attributes }: Tensor): Rewriting | undefined {
  if (product.operator.name !== 'matmul' || !isBatch(product.inputs)) return undefined;
  return batchOfProducts(product.inputs, (attributes as { factor: number }).factor);
}

function isBatch(factors: readonly Tensor[]): boolean {
  return factors.every(({ shape }) => shape.length >= 3);
}

function batchOfProducts(factors: readonly Tensor[], factor = 1): Rewriting {
  const [left, right] = factors.map(withoutScale);
  const [a, b] = [untransposed(left.x), untransposed(right.x)];
  const attributes = {
    ...{ transA: a === undefined ? 0 : 1, transB: b === undefined ? 0 : 1 },
    alpha: { float: factor * left.factor * right.factor },
  };
  return {
    inputs: [a ?? left.x, b ?? right.x],
    emit: (writer, inputs) => [writer.node('com.microsoft:FusedMatMul', mainOutputs(inputs), attributes)],
  };
}
