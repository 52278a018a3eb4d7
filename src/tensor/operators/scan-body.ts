// The body of a scan: one step as a graph that begins at placeholders, and what it reads of the graph around it.

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
  /** What is kept of each step. */
  readonly outputs: readonly Tensor[];
}

export interface ScanAttributes {
  readonly body: ScanBody;
  /** The axis of time in sequences and in what is stacked; where there are fewer axes, time is the last. */
  readonly axis: number;
  /** Whether the last slice comes first; what is stacked lies where its slice lay. */
  readonly reverse: boolean;
}

/** What is stacked over the steps. Back-propagation needs the states before each, and what nothing reads is not computed. */
export function stackedBy({ states, outputs }: ScanBody): Tensor[] {
  return [...outputs, ...states];
}

/** The nodes of a body that may differ from step to step, each after its inputs. */
export function nodesWithin(body: ScanBody): Tensor[] {
  const placeholders = new Set([...body.states, ...body.slices]);
  const within = new Set(placeholders);
  for (const node of topologicalOrder([...body.next, ...body.outputs])) {
    if (node.inputs.some((input) => within.has(input))) within.add(node);
  }
  return [...within].filter((node) => !placeholders.has(node));
}

/** What a body reads of the graph around it: the same at each step. */
export function tensorsAround(body: ScanBody): Tensor[] {
  const nodes = nodesWithin(body);
  const within = new Set([...body.states, ...body.slices, ...nodes]);
  const read = new Set([...nodes.flatMap(({ inputs }) => inputs), ...body.next, ...body.outputs]);
  return [...read].filter((tensor) => !within.has(tensor));
}

/** All nodes that outputs are computed from, those of bodies before the node that has the body. */
export function nodesAndBodies(outputs: Iterable<Tensor>): Tensor[] {
  const withBody = (node: Tensor): Tensor[] => {
    if (node.operator.name !== 'scan') return [node];
    const { body } = node.attributes as ScanAttributes;
    return [...nodesWithin(body).flatMap(withBody), node];
  };
  return topologicalOrder(outputs).flatMap(withBody);
}

/** Where time stands in what has a slice of that rank a step. */
export function timeAxis(axis: number, rankOfSlice: number): number {
  return Math.min(axis, rankOfSlice);
}

/** What a step sees of a sequence. */
export function sliceShape(shape: Shape, axis: number): Shape {
  return shape.toSpliced(timeAxis(axis, shape.length - 1), 1);
}

/** How many steps sequences have, which must be the same for all. */
export function stepsOf(sequences: readonly Tensor[], axis: number): Dim {
  const [steps, ...others] = sequences.map(({ shape }) => shape[timeAxis(axis, shape.length - 1)]);
  if (steps === undefined || others.some((other) => other !== steps)) {
    const got = sequences.map(({ shape }) => formatShape(shape)).join(' and ') || 'none';
    throw new HeedError('scan', `needs sequences of the same length along axis ${axis}, got ${got}.`);
  }
  return steps;
}
