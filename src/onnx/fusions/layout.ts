// Nodes that are computed by something else than their own operator says, since the engine is faster at that.

import { concatenate, permute, reshape, type Tensor, transpose, untransposed } from '../../tensor/index.ts';
import type { GraphWriter } from '../writer.ts';

export interface Rewriting {
  /** What is to be computed first, in place of the node's own inputs. */
  readonly inputs: readonly Tensor[];
  /** Writes it and names its outputs. @param inputs of each input the names of its outputs */
  emit(writer: GraphWriter, inputs: readonly (readonly string[])[]): readonly string[];
}

/** The first output of each: what most operators have only. */
export function mainOutputs(inputs: readonly (readonly string[])[]): string[] {
  return inputs.map(([main]) => main);
}

/** Layout: nodes that put the same numbers in other places. */
export function rewrittenLayout(node: Tensor): Rewriting | undefined {
  const simpler = withoutReshapes(node) ?? withoutPermutations(node) ?? joinedBeforePermuting(node);
  return simpler && { inputs: [simpler], emit: (_, [names]) => names };
}

/** Reshapes in a row are one, and none where they lead back. */
function withoutReshapes(node: Tensor): Tensor | undefined {
  if (!isReshape(node) || !isReshape(node.inputs[0])) return undefined;
  return reshape(unshaped(node), node.shape);
}

/** So are permutations; but a transposition of matrices is left to the product that it is for. */
function withoutPermutations(node: Tensor): Tensor | undefined {
  const order = orderOf(node);
  if (order === undefined || untransposed(node) !== undefined) return undefined;
  return orderOf(node.inputs[0]) === undefined ? undefined : permuted(node.inputs[0], order);
}

/**
 * What is permuted and then joined is joined and then permuted, if the first part is as it was fed: along the first axis parts are joined by
 * copying each as a whole.
 */
function joinedBeforePermuting({ operator, inputs, attributes }: Tensor): Tensor | undefined {
  if (operator.name !== 'concatenate') return undefined;
  const order = orderOf(inputs[0]);
  const { axis } = attributes as { axis: number };
  if (order === undefined || order[axis] !== 0) return undefined;
  const back = order.map((_, i) => order.indexOf(i));
  const parts = inputs.map((part) => permuted(part, back));
  return permute(concatenate(parts, 0), order);
}

/** A permutation of x, or of what x is one of. */
function permuted(x: Tensor, order: readonly number[]): Tensor {
  const before = orderOf(x);
  if (before === undefined) return permute(x, order);
  const both = order.map((axis) => before[axis]);
  return both.every((axis, i) => axis === i) ? x.inputs[0] : permute(x.inputs[0], both);
}

function orderOf({ operator, attributes }: Tensor): readonly number[] | undefined {
  return operator.name === 'transpose' ? (attributes as { order: readonly number[] }).order : undefined;
}

/** x is `x` times a factor; a transposition of something scaled is one of the thing itself. What was scaled before that stays so. */
export function withoutScale(x: Tensor): { x: Tensor; factor: number } {
  const original = untransposed(x);
  const scaled = original ?? x;
  if (scaled.operator.name !== 'scale') return { x, factor: 1 };
  const [bare] = scaled.inputs;
  const { factor } = scaled.attributes as { factor: number };
  return { x: original === undefined ? bare : transpose(bare), factor };
}

/** What a row of reshapes starts from. */
export function unshaped(node: Tensor): Tensor {
  return isReshape(node) ? unshaped(node.inputs[0]) : node;
}

/** A second input says where named dimensions go, which the shapes alone do not. */
function isReshape({ operator, inputs }: Tensor): boolean {
  return operator.name === 'reshape' && inputs.length === 1;
}
