// Reverse-mode differentiation of a graph, or of the body of a scan: one walk from the results back to their inputs.

import type * as Functions from './functions.ts';
import type { OutputAtAttributes } from './operators/select.ts';
import type { Tensor } from './tensor.ts';

export interface BackwardOptions {
  /** The nodes in topological order. */
  readonly order: readonly Tensor[];
  /** Gradients of the loss with respect to results of these nodes; several for one result are added. */
  readonly given: readonly (readonly [result: Tensor, gradient: Tensor])[];
  /** The tensors to differentiate with respect to. Only nodes between them and the results are visited. */
  readonly wanted: readonly Tensor[];
  readonly f: typeof Functions;
}

/** The requested gradients in order; undefined if no result depends on the tensor. */
export function backward({ order, given, wanted, f }: BackwardOptions): (Tensor | undefined)[] {
  const onPath = dependsOn(order, wanted);
  const received = new Map<Tensor, (Tensor | undefined)[]>();
  const receive = (node: Tensor, gradient: Tensor, output = 0) => {
    const gradients = received.get(node) ?? [];
    const sofar = gradients[output];
    gradients[output] = sofar === undefined ? gradient : f.add(sofar, gradient);
    received.set(node, gradients);
  };
  for (const [result, gradient] of given) receive(result, gradient);
  for (const node of order.toReversed()) {
    const gradients = received.get(node);
    if (gradients === undefined || !onPath.has(node) || node.inputs.length === 0) continue;
    const source = sourceWithGradients(node);
    if (source !== undefined && gradients[0] !== undefined) {
      receive(source, gradients[0], (node.attributes as OutputAtAttributes).index);
      continue;
    }
    const needed = node.inputs.map((input) => onPath.has(input));
    toInputs(node, gradients, needed, f).forEach((share, i) => {
      if (share !== undefined && needed[i]) receive(node.inputs[i], share);
    });
  }
  return wanted.map((tensor) => received.get(tensor)?.[0]);
}

function toInputs(
  node: Tensor,
  gradients: readonly (Tensor | undefined)[],
  needed: readonly boolean[],
  f: typeof Functions,
): readonly (Tensor | undefined)[] {
  const { operator, inputs, attributes } = node;
  if ('gradientOfOutputs' in operator) {
    return operator.gradientOfOutputs({ inputs, attributes, output: node, gradients, needed, f });
  }
  const [gradient] = gradients;
  return gradient === undefined ? [] : operator.gradient({ inputs, attributes, output: node, gradient, f });
}

/** The node whose output this is, if gradients flow from all of its outputs. */
function sourceWithGradients({ operator, inputs: [source] }: Tensor): Tensor | undefined {
  return operator.name === 'outputAt' && 'gradientOfOutputs' in source.operator ? source : undefined;
}

function dependsOn(order: readonly Tensor[], wanted: readonly Tensor[]): Set<Tensor> {
  const found = new Set<Tensor>(wanted);
  for (const node of order) {
    if (node.inputs.some((input) => found.has(input))) found.add(node);
  }
  return found;
}
