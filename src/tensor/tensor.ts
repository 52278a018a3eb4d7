// Tensors: immutable nodes of a graph. Building nodes computes nothing.

import { HeedError } from '../base/error.ts';
import type { Operator, TensorType } from './operator.ts';
import { type Dim, formatShape, positiveAxis } from './shape.ts';

export interface Tensor extends TensorType {
  readonly operator: Operator<unknown>;
  readonly inputs: readonly Tensor[];
  readonly attributes: unknown;
  /** Types of all the operator's outputs; this node stands for the first, `outputAt` for the others. */
  readonly outputs: readonly TensorType[];
  /** The names of this result in traces, such as `encoder.layers.0.selfAttention.weights`. */
  readonly names: readonly string[];
}

/** Builds the node of an operator. The shape rule is checked here, so errors are reported where the model is written. */
export function apply<A>(operator: Operator<A>, inputs: readonly Tensor[], attributes: A): Tensor {
  const outputs = operator.infer(inputs, attributes);
  return { operator, inputs, attributes, outputs, ...outputs[0], names: [] };
}

/** A node of a known operator, with its type of attributes. */
export type TensorOf<A> = Tensor & { readonly attributes: A };

/**
 * Whether a tensor is the result of an operator; narrows the type of its attributes. Operators are compared by name, since a program
 * may contain two copies of heed, one of them in a bundle.
 */
export function isA<A>(tensor: Tensor | undefined, operator: Operator<A>): tensor is TensorOf<A> {
  return tensor?.operator.name === operator.name;
}

/** The same result with a further name for traces. */
export function named(name: string, tensor: Tensor): Tensor {
  return { ...tensor, names: [...tensor.names, name] };
}

/** `tensor.shape` at an axis, which may count from the end. */
export function dimension(tensor: Tensor, axis: number): Dim {
  const dim = tensor.shape[positiveAxis(axis, tensor.shape.length)];
  if (dim === undefined) {
    throw new HeedError('dimension', `no axis ${axis} in a tensor of shape ${formatShape(tensor.shape)}.`);
  }
  return dim;
}

/** All nodes that the outputs depend on, in topological order; `inputsOf` may leave out inputs. */
export function topologicalOrder(
  outputs: Iterable<Tensor>,
  inputsOf: (tensor: Tensor) => readonly Tensor[] = ({ inputs }) => inputs,
): Tensor[] {
  const order: Tensor[] = [];
  const seen = new Set<Tensor>();
  const stack: { tensor: Tensor; inputs: readonly Tensor[]; next: number }[] = [];
  const visit = (tensor: Tensor) => {
    if (seen.has(tensor)) return;
    seen.add(tensor);
    stack.push({ tensor, inputs: inputsOf(tensor), next: 0 });
  };
  for (const output of outputs) {
    visit(output);
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top.next === top.inputs.length) {
        order.push(top.tensor);
        stack.pop();
        continue;
      }
      visit(top.inputs[top.next++]);
    }
  }
  return order;
}

/** The named results that the outputs depend on, in the order of computation. */
export function namedTensors(outputs: Iterable<Tensor>): Map<string, Tensor> {
  const found = new Map<string, Tensor>();
  for (const tensor of topologicalOrder(outputs)) {
    for (const name of tensor.names) found.set(name, tensor);
  }
  return found;
}
