// A tensor of the graph: a plain immutable node that says how it is computed. Building nodes computes nothing.

import { HeedError } from '../base/error.ts';
import type { Operator, TensorType } from './operator.ts';
import { type Dim, formatShape, positiveAxis } from './shape.ts';

export interface Tensor extends TensorType {
  readonly operator: Operator<unknown>;
  readonly inputs: readonly Tensor[];
  readonly attributes: unknown;
  /** Types of all the operator's outputs; this node stands for the first, `part` for the others. */
  readonly outputs: readonly TensorType[];
  /** What this result is called in a trace, such as `encoder.layers.0.selfAttention.weights`. */
  readonly name: string | undefined;
}

/** The node that applies an operator; its shape rule speaks here, so a misfit is reported where it is written. */
export function apply<A>(operator: Operator<A>, inputs: readonly Tensor[], attributes: A): Tensor {
  const outputs = operator.infer(inputs, attributes);
  return { operator, inputs, attributes, outputs, ...outputs[0], name: undefined };
}

/** The same result under a name, by which a trace finds it. */
export function named(name: string, tensor: Tensor): Tensor {
  return { ...tensor, name };
}

/** `tensor.shape` at an axis, which may count from the end. */
export function dimension(tensor: Tensor, axis: number): Dim {
  const dim = tensor.shape[positiveAxis(axis, tensor.shape.length)];
  if (dim === undefined) {
    throw new HeedError('dimension', `no axis ${axis} in a tensor of shape ${formatShape(tensor.shape)}.`);
  }
  return dim;
}

/** All nodes that the outputs are computed from, each after its inputs. */
export function topologicalOrder(outputs: Iterable<Tensor>): Tensor[] {
  const order: Tensor[] = [];
  const seen = new Set<Tensor>();
  const stack: { tensor: Tensor; next: number }[] = [];
  for (const output of outputs) {
    if (!seen.has(output)) stack.push({ tensor: output, next: 0 });
    seen.add(output);
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top.next === top.tensor.inputs.length) {
        order.push(top.tensor);
        stack.pop();
        continue;
      }
      const input = top.tensor.inputs[top.next++];
      if (!seen.has(input)) {
        seen.add(input);
        stack.push({ tensor: input, next: 0 });
      }
    }
  }
  return order;
}

/** The named results that the outputs are computed from, in the order of computation. */
export function namedTensors(outputs: Iterable<Tensor>): Map<string, Tensor> {
  const found = new Map<string, Tensor>();
  for (const tensor of topologicalOrder(outputs)) {
    if (tensor.name !== undefined) found.set(tensor.name, tensor);
  }
  return found;
}
