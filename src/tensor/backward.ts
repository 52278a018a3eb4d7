// Reverse mode: one walk over a graph, or over the body of a scan, from results back to what they are computed from.

import type * as Functions from './functions.ts';
import type { OutputAtAttributes } from './operators/select.ts';
import type { Tensor } from './tensor.ts';

export interface BackwardOptions {
  /** The nodes to walk over, each after its inputs. */
  readonly order: readonly Tensor[];
  /** Gradients of a loss with respect to results of these nodes; several of one result add up. */
  readonly given: readonly (readonly [result: Tensor, gradient: Tensor])[];
  /** Whose gradients are asked for. Only nodes between them and the results are visited. */
  readonly wanted: readonly Tensor[];
  readonly f: typeof Functions;
}

/** The gradients asked for, in their order; undefined where no result depends on that tensor. */
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

/** The node that this is one output of, if gradients flow from all of its outputs. */
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
