// Layout simplifications: fewer nodes that put the same entries in other places.

import { concatenate, isA, operators, permute, reshape, type Tensor, untransposed } from '../../tensor/index.ts';
import { type Fusion, replacedBy } from './fusion.ts';

/** How a reshape, permutation or concatenation is computed by fewer nodes; undefined if it is not simpler. */
export function layoutFusion(node: Tensor): Fusion | undefined {
  const simpler = mergedReshape(node) ?? mergedPermutation(node) ?? concatenatedBeforePermuting(node);
  return simpler && replacedBy(simpler);
}

/** Reshapes in a row are one, and none where they lead back. */
function mergedReshape(node: Tensor): Tensor | undefined {
  if (!isReshape(node) || !isReshape(node.inputs[0])) return undefined;
  return reshape(unshaped(node), node.shape);
}

/** Permutations in a row are one, too; but a transposition of matrices is left to the product that reads it. */
function mergedPermutation(node: Tensor): Tensor | undefined {
  const order = orderOf(node);
  if (order === undefined || untransposed(node) !== undefined) return undefined;
  return orderOf(node.inputs[0]) === undefined ? undefined : permuted(node.inputs[0], order);
}

/**
 * What is permuted and then concatenated is concatenated and then permuted, if the first part is as it was fed: along the first axis,
 * concatenating copies each part as a whole.
 */
function concatenatedBeforePermuting(node: Tensor): Tensor | undefined {
  if (!isA(node, operators.concatenate)) return undefined;
  const order = orderOf(node.inputs[0]);
  if (order === undefined || order[node.attributes.axis] !== 0) return undefined;
  const inverse = order.map((_, axis) => order.indexOf(axis));
  const parts = node.inputs.map((part) => permuted(part, inverse));
  return permute(concatenate(parts, 0), order);
}

/** A permutation of x; if x is a permutation, one of its input. */
function permuted(x: Tensor, order: readonly number[]): Tensor {
  const before = orderOf(x);
  if (before === undefined) return permute(x, order);
  const both = order.map((axis) => before[axis]);
  return both.every((axis, i) => axis === i) ? x.inputs[0] : permute(x.inputs[0], both);
}

function orderOf(x: Tensor): readonly number[] | undefined {
  return isA(x, operators.transpose) ? x.attributes.order : undefined;
}

/** What a row of reshapes starts from. */
export function unshaped(x: Tensor): Tensor {
  return isReshape(x) ? unshaped(x.inputs[0]) : x;
}

/** A second input says where named dimensions go, which the shapes alone do not. */
function isReshape(x: Tensor): boolean {
  return isA(x, operators.reshape) && x.inputs.length === 1;
}
