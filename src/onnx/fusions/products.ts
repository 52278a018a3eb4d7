// Batches of matrix products with transposition and scale in one operator. ONNX Runtime's own fusion misses that for attention
// heads, whose transposition it merges with another one; for a single matrix it finds it by itself.

import { type Tensor, transpose, untransposed } from '../../tensor/index.ts';
import { isSupported, type LowerOptions } from '../options.ts';
import * as patterns from '../pattern.ts';
import { type Fusion, mainOutputs } from './fusion.ts';

const OPERATOR = 'com.microsoft:FusedMatMul';

const { any, either, match, matmul, scale } = patterns;

const product = matmul(any('left'), any('right'));
const scaledProduct = scale(product, 'factor');
const scaled = scale(any('x'), 'factor');
/** A factor of a product: x or its transpose, times a number. */
interface Operand {
  readonly x: Tensor;
  readonly isTransposed: boolean;
  readonly factor: number;
}

/** How a node is computed if it is a batch of products that has something to take on. */
export function productFusion(node: Tensor, options: LowerOptions): Fusion | undefined {
  const found = match(either(scaledProduct, product), node);
  if (found === undefined || !isSupported(OPERATOR, options)) return undefined;
  const isBatch = [found.left, found.right].every(({ shape }) => shape.length >= 3);
  const [left, right] = [operandOf(found.left), operandOf(found.right)];
  const isPlain = left.x === found.left && right.x === found.right;
  if (!isBatch || (isPlain && found.factor === undefined)) return undefined;
  const attributes = {
    transA: left.isTransposed ? 1 : 0,
    transB: right.isTransposed ? 1 : 0,
    alpha: { float: (found.factor ?? 1) * left.factor * right.factor },
  };
  return {
    inputs: [left.x, right.x],
    emit: (writer, inputs) => [writer.node(OPERATOR, mainOutputs(inputs), attributes)],
  };
}

/** The transpose of something scaled is one of the thing itself. A scale within a scale stays as it is. */
function operandOf(tensor: Tensor): Operand {
  const { x, factor } = unscaled(tensor);
  const original = untransposed(x);
  return { x: original ?? x, isTransposed: original !== undefined, factor };
}

function unscaled(tensor: Tensor): { x: Tensor; factor: number } {
  const inner = match(patterns.transpose(scaled), tensor);
  if (inner !== undefined) return { x: transpose(inner.x), factor: inner.factor };
  return match(scaled, tensor) ?? { x: tensor, factor: 1 };
}
