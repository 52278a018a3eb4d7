// Reverse-mode differentiation: one walk from the loss back to the parameters. Gradients are ordinary tensors.

import { HeedError } from '../base/error.ts';
import { backward } from './backward.ts';
import * as functions from './functions.ts';
import { formatShape } from './shape.ts';
import { type Tensor, topologicalOrder } from './tensor.ts';

/**
 * Gradients of a scalar loss with respect to parameters (or any nodes the loss is computed from), in their order.
 * Only nodes between the two are visited, so masks and ids cost nothing. It is an error if the loss does not depend on one of them.
 */
export function gradients(loss: Tensor, parameters: readonly Tensor[]): Tensor[] {
  if (loss.shape.length !== 0) {
    throw new HeedError('gradients', `the loss must be a scalar, got ${formatShape(loss.shape)}.`);
  }
  const order = topologicalOrder([loss]);
  const given = [[loss, functions.constant([], [1])]] as const;
  return backward({ order, given, wanted: parameters, f: functions }).map((gradient, i) => {
    if (gradient === undefined) throw new HeedError('gradients', `the loss does not depend on parameter ${i}.`);
    return gradient;
  });
}
