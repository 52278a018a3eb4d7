// Nodes that are computed by something else than their own operator says, since the engine is faster at that.

import { reshape, type Tensor } from '../tensor/index.ts';
import type { GraphWriter } from './writer.ts';

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

/** Reshapes in a row are one, and none where they lead back. */
export function rewrittenReshapes(node: Tensor): Rewriting | undefined {
  if (!isReshape(node) || !isReshape(node.inputs[0])) return undefined;
  return { inputs: [reshape(unshaped(node), node.shape)], emit: (_, [names]) => names };
}

/** What a row of reshapes starts from. */
export function unshaped(node: Tensor): Tensor {
  return isReshape(node) ? unshaped(node.inputs[0]) : node;
}

/** A second input says where named dimensions go, which the shapes alone do not. */
function isReshape({ operator, inputs }: Tensor): boolean {
  return operator.name === 'reshape' && inputs.length === 1;
}
