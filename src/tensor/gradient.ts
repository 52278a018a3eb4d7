// Reverse-mode differentiation: one walk from the loss back to the parameters. Gradients are ordinary tensors.

import { HeedError } from '../base/error.ts';
import * as functions from './functions.ts';
import { formatShape } from './shape.ts';
import { type Tensor, topologicalOrder } from './tensor.ts';

/**
 * Gradients of a scalar loss with respect to parameters (or any nodes the loss is computed from), in their order.
 * Only nodes between the two are visited, so masks and ids cost nothing. One that the loss does not depend on is an error.
 */
export function gradients(loss: Tensor, parameters: readonly Tensor[]): Tensor[] {
  if (loss.shape.length !== 0) {
    throw new HeedError('gradients', `the loss must be a scalar, got ${formatShape(loss.shape)}.`);
  }
  const order = topologicalOrder([loss]);
  const onPath = dependsOn(order, parameters);
  const received = new Map<Tensor, Tensor>([[loss, functions.constant([], [1])]]);
  for (const node of order.toReversed()) {
    const gradient = received.get(node);
    if (gradient === undefined || !onPath.has(node) || node.inputs.length === 0) continue;
    const { inputs, attributes } = node;
    const toInputs = node.operator.gradient({ inputs, attributes, output: node, gradient, f: functions });
    inputs.forEach((input, i) => {
      const share = toInputs[i];
      if (share === undefined || !onPath.has(input)) return;
      const sofar = received.get(input);
      received.set(input, sofar === undefined ? share : functions.add(sofar, share));
    });
  }
  return parameters.map((parameter, i) => {
    const gradient = received.get(parameter);
    if (gradient === undefined) throw new HeedError('gradients', `the loss does not depend on parameter ${i}.`);
    return gradient;
  });
}

function dependsOn(order: readonly Tensor[], parameters: readonly Tensor[]): Set<Tensor> {
  const found = new Set<Tensor>(parameters);
  for (const node of order) {
    if (node.inputs.some((input) => found.has(input))) found.add(node);
  }
  return found;
}
