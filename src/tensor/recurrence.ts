// The function `scan` for models with recurrence, which takes the step as a function of tensors.

import { placeholder } from './operators/leaf.ts';
import { scan as scanOperator } from './operators/scan.ts';
import { type ScanAttributes, sliceShape, stepsOf, tensorsAround } from './operators/scan-body.ts';
import { outputAt } from './operators/select.ts';
import { apply, type Tensor } from './tensor.ts';

export interface ScanOptions {
  /** Initial values of the loop-carried states; any shapes and types, which no step changes. */
  readonly states: readonly Tensor[];
  /** One or more, of the same length along the axis. */
  readonly sequences: readonly Tensor[];
  /**
   * The time axis of each sequence and stacked output, counted from the front. With fewer axes time is the last one: along
   * axis 1, [time] goes with [batch, time, 8].
   */
  readonly axis: number;
  /** Whether to begin at the end of the sequences; default false. */
  readonly reverse?: boolean;
}

export interface ScanStep {
  /** The states after the step, in their order. */
  readonly states: readonly Tensor[];
  /** The outputs of each step. */
  readonly outputs: readonly Tensor[];
}

export interface ScanResults {
  /** The states after the last step. */
  readonly states: readonly Tensor[];
  /** The stacked outputs of all steps. */
  readonly outputs: readonly Tensor[];
}

/**
 * Applies a step to each slice of the sequences in turn. A slice of [batch, time, 8] along axis 1 is [batch, 8], and what
 * a step outputs as [batch, 4] is stacked to [batch, time, 4]. A step may capture tensors, such as parameters; values that
 * depend on these only are computed once. Results within a step do not appear in traces.
 *
 * @throws HeedError if sequences differ in length, a state changes its type, or a step has dropout
 */
export function scan(
  { states, sequences, axis, reverse = false }: ScanOptions,
  step: (states: readonly Tensor[], slices: readonly Tensor[]) => ScanStep,
): ScanResults {
  stepsOf(sequences, axis);
  const before = states.map(({ dtype, shape }) => apply(placeholder, [], { dtype, shape }));
  const slices = sequences.map(({ dtype, shape }) => {
    return apply(placeholder, [], { dtype, shape: sliceShape(shape, axis) });
  });
  const { states: next, outputs } = step(before, slices);
  return scanOf({ body: { states: before, slices, next, outputs }, axis, reverse }, [...states, ...sequences]);
}

/** A scan with the given body. @param given initial states, then sequences */
export function scanOf(attributes: ScanAttributes, given: readonly Tensor[]): ScanResults {
  const { body } = attributes;
  const node = apply(scanOperator, [...given, ...tensorsAround(body)], attributes);
  // All outputs are read by index, so that their gradients are distinguished.
  const resultAt = (_: Tensor, index: number) => apply(outputAt, [node], { index });
  const results = [...body.next, ...body.outputs].map(resultAt);
  return { states: results.slice(0, body.next.length), outputs: results.slice(body.next.length) };
}
