// Matrix products that ONNX Runtime computes better than as MatMul of what is written: with a factor transposed on the
// way (its own fusion misses that for heads, whose transposition it merges with another), or with int8 weights.

import type { ParameterAttributes, Tensor } from '../tensor/index.ts';
import { untransposed } from '../tensor/index.ts';
import type { LowerOptions } from './model.ts';
import { lowerQuantizedProduct, reachOfNormalized } from './quantized.ts';
import type { GraphWriter } from './writer.ts';

export interface SpecialProduct {
  /** What is to be computed first, in place of the node's own inputs. */
  readonly inputs: readonly Tensor[];
  emit(writer: GraphWriter, inputs: readonly string[]): string;
}

/** How a node is computed if it is such a product. */
export function specialProduct(node: Tensor, options: LowerOptions): SpecialProduct | undefined {
  if (node.operator.name !== 'matmul') return undefined;
  return int8Product(node.inputs, options) ?? transposedProduct(node.inputs);
}

/** x W with scaled columns of W, or x Eᵀ with scaled rows of E. */
function int8Product(
  [x, factor]: readonly Tensor[],
  { quantized, weights = new Map() }: LowerOptions,
): SpecialProduct | undefined {
  const original = untransposed(factor);
  const parameter = original ?? factor;
  if (quantized === undefined || parameter.operator.name !== 'parameter') return undefined;
  const { name } = parameter.attributes as ParameterAttributes;
  const matrix = quantized.get(name);
  if (matrix === undefined || matrix.axis !== (original === undefined ? 1 : 0)) return undefined;
  const reach = reachOfNormalized(x, weights);
  return { inputs: [x], emit: (writer, [rows]) => lowerQuantizedProduct(writer, rows, { name, matrix, reach }) };
}

/** Batches of products with a transposed factor. For a single matrix the runtime sees it by itself. */
function transposedProduct(factors: readonly Tensor[]): SpecialProduct | undefined {
  const originals = factors.map(untransposed);
  if (originals.every((original) => original === undefined) || factors.some(({ shape }) => shape.length < 3)) {
    return undefined;
  }
  const [transA, transB] = originals.map((original) => (original === undefined ? 0 : 1));
  return {
    inputs: factors.map((factor, i) => originals[i] ?? factor),
    emit: (writer, inputs) => writer.node('com.microsoft:FusedMatMul', inputs, { transA, transB }),
  };
}
