// Recurrence: applies a body (a graph) to each slice of sequences in turn, with loop-carried states. Tensors that the body captures
// from the enclosing graph are inputs of the node, so that graph traversals see them.

import { HeedError } from '../../base/error.ts';
import type { Emitter, Operator, TensorType } from '../operator.ts';
import { evaluate } from '../reference.ts';
import { type Dim, formatShape } from '../shape.ts';
import type { Tensor } from '../tensor.ts';
import { entry, tabulate, type Value } from '../value.ts';
import { keepMask } from './leaf.ts';
import { type ScanAttributes, stackedBy, stepsOf, tensorsAround, timeAxis } from './scan-body.ts';
import { scanGradient } from './scan-gradient.ts';

/**
 * Inputs: initial states, sequences, then captured tensors. Outputs: final states, then stacked over time the body's
 * outputs and the states before each step.
 */
export const scan: Operator<ScanAttributes> = {
  name: 'scan',
  infer(inputs, { body, axis }) {
    const { states, slices, next } = body;
    const steps = stepsOf(inputs.slice(states.length, states.length + slices.length), axis);
    checkStates(states, next);
    if (tensorsAround(body).some(({ operator }) => operator.name === keepMask.name)) {
      const rule = 'dropout in a body would drop the same entries at each step';
      throw new HeedError(
        'scan',
        `${rule}, got a keepMask; drop entries of what goes into the scan or comes out of it.`,
      );
    }
    return [...next.map(typeOf), ...stackedBy(body).map((result) => stackedType(result, axis, steps))];
  },
  gradientOfOutputs: scanGradient,
  lower(emit, inputs, { attributes: { body, axis, reverse }, isRead }) {
    const { states, slices, next } = body;
    const stacked = stackedBy(body);
    const read = stacked.filter((_, i) => isRead(states.length + i));
    const sequences = slices.map(({ shape }, i) => {
      return permuted(emit, inputs[states.length + i], timeFirst(axis, shape.length));
    });
    const results = emit.nodeWithBody(
      'Scan',
      [...inputs.slice(0, states.length), ...sequences],
      { leaves: [...states, ...slices], results: [...next, ...read] },
      {
        num_scan_inputs: slices.length,
        scan_input_directions: slices.map(() => Number(reverse)),
        scan_output_directions: read.map(() => Number(reverse)),
      },
    );
    const outputs = read.map(({ shape }, i) => {
      return permuted(emit, results[states.length + i], inverse(timeFirst(axis, shape.length)));
    });
    return [...results.slice(0, states.length), ...stacked.map((result) => outputs[read.indexOf(result)] ?? '')];
  },
  evaluate(inputs, { body, axis, reverse }) {
    const { states, slices, next } = body;
    const stacked = stackedBy(body);
    const sequences = inputs.slice(states.length, states.length + slices.length);
    const around = inputs.slice(states.length + slices.length);
    const leaves = new Map(tensorsAround(body).map((tensor, i) => [tensor, around[i]]));
    const times = [...Array(sequences[0].shape[timeAxis(axis, slices[0].shape.length)]).keys()];
    const steps = new Array<readonly Value[]>(times.length);
    let current = inputs.slice(0, states.length);
    for (const time of reverse ? times.toReversed() : times) {
      states.forEach((state, i) => {
        leaves.set(state, current[i]);
      });
      slices.forEach((slice, i) => {
        leaves.set(slice, sliceAt(sequences[i], axis, time));
      });
      const results = evaluate([...next, ...stacked], leaves);
      current = results.slice(0, states.length);
      steps[time] = results.slice(states.length);
    }
    return [...current, ...stacked.map((_, i) => stack(steps, i, axis))];
  },
};

function checkStates(states: readonly Tensor[], next: readonly Tensor[]): void {
  if (next.length !== states.length) {
    throw new HeedError('scan', `a body must return each state it is given, got ${next.length} of ${states.length}.`);
  }
  const formatType = ({ dtype, shape }: TensorType) => `${dtype} ${formatShape(shape)}`;
  states.forEach((state, i) => {
    const [before, after] = [formatType(state), formatType(next[i])];
    if (before !== after)
      throw new HeedError('scan', `a state must keep its type, got ${before} and after a step ${after}.`);
  });
}

function typeOf({ dtype, shape }: Tensor): TensorType {
  return { dtype, shape };
}

function stackedType({ dtype, shape }: Tensor, axis: number, steps: Dim): TensorType {
  return { dtype, shape: shape.toSpliced(timeAxis(axis, shape.length), 0, steps) };
}

/**
 * The permutation that moves time to the front. onnxruntime can scan along any axis, but crashes the process if there are no
 * steps.
 */
function timeFirst(axis: number, rankOfSlice: number): number[] {
  const time = timeAxis(axis, rankOfSlice);
  const axes = [...Array(rankOfSlice + 1).keys()];
  return [time, ...axes.filter((one) => one !== time)];
}

function permuted(emit: Emitter, x: string, order: readonly number[]): string {
  return order.every((axis, i) => axis === i) ? x : emit.node('Transpose', [x], { perm: order });
}

function inverse(order: readonly number[]): number[] {
  return order.map((_, axis) => order.indexOf(axis));
}

function sliceAt(sequence: Value, axis: number, time: number): Value {
  const place = timeAxis(axis, sequence.shape.length - 1);
  return tabulate(sequence.shape.toSpliced(place, 1), (index) => entry(sequence, index.toSpliced(place, 0, time)));
}

/** Stacks one result of each step along time. */
function stack(steps: readonly (readonly Value[])[], result: number, axis: number): Value {
  const { shape } = steps[0][result];
  const place = timeAxis(axis, shape.length);
  return tabulate(shape.toSpliced(place, 0, steps.length), (index) => {
    return entry(steps[index[place]][result], index.toSpliced(place, 1));
  });
}
