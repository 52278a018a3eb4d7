// The body of a scan: the graph of one step, with placeholders as inputs, and the tensors it captures from the enclosing graph.

import { HeedError } from '../../base/error.ts';
import { type Dim, formatShape, type Shape } from '../shape.ts';
import { type Tensor, topologicalOrder } from '../tensor.ts';

export interface ScanBody {
  /** Placeholders of the states before the step. */
  readonly states: readonly Tensor[];
  /** Placeholders of the slices of this step, one for each sequence. */
  readonly slices: readonly Tensor[];
  /** The states after the step. */
  readonly next: readonly Tensor[];
  /** The outputs of each step. */
  readonly outputs: readonly Tensor[];
}

export interface ScanAttributes {
  readonly body: ScanBody;
  /** The time axis of sequences and stacked outputs; with fewer axes, time is the last. */
  readonly axis: number;
  /** Whether to begin with the last slice; outputs are stacked at the index of their slice. */
  readonly reverse: boolean;
}

/** The stacked outputs. Back-propagation needs the states before each step; unused outputs are not computed. */
export function stackedBy({ states, outputs }: ScanBody): Tensor[] {
  return [...outputs, ...states];
}

/** The nodes of a body that may differ between steps, in topological order. */
export function nodesWithin(body: ScanBody): Tensor[] {
  const placeholders = new Set([...body.states, ...body.slices]);
  const within = new Set(placeholders);
  for (const node of topologicalOrder([...body.next, ...body.outputs])) {
    if (node.inputs.some((input) => within.has(input))) within.add(node);
  }
  return [...within].filter((node) => !placeholders.has(node));
}

/** The tensors that a body captures from the enclosing graph. */
export function tensorsAround(body: ScanBody): Tensor[] {
  const nodes = nodesWithin(body);
  const within = new Set([...body.states, ...body.slices, ...nodes]);
  const read = new Set([...nodes.flatMap(({ inputs }) => inputs), ...body.next, ...body.outputs]);
  return [...read].filter((tensor) => !within.has(tensor));
}

/** All nodes that outputs depend on; nodes of a body come before the node that has the body. */
export function nodesAndBodies(outputs: Iterable<Tensor>): Tensor[] {
  const withBody = (node: Tensor): Tensor[] => {
    if (node.operator.name !== 'scan') return [node];
    const { body } = node.attributes as ScanAttributes;
    return [...nodesWithin(body).flatMap(withBody), node];
  };
  return topologicalOrder(outputs).flatMap(withBody);
}

/** The time axis of a sequence whose slices have the given rank. */
export function timeAxis(axis: number, rankOfSlice: number): number {
  return Math.min(axis, rankOfSlice);
}

/** The slice of a sequence for one step. */
export function sliceShape(shape: Shape, axis: number): Shape {
  return shape.toSpliced(timeAxis(axis, shape.length - 1), 1);
}

/** The length of the sequences, which must be the same for all. */
export function stepsOf(sequences: readonly Tensor[], axis: number): Dim {
  const [steps, ...others] = sequences.map(({ shape }) => shape[timeAxis(axis, shape.length - 1)]);
  if (steps === undefined || others.some((other) => other !== steps)) {
    const got = sequences.map(({ shape }) => formatShape(shape)).join(' and ') || 'none';
    throw new HeedError('scan', `needs sequences of the same length along axis ${axis}, got ${got}.`);
  }
  return steps;
}
