// The interface of training data: batches of examples for each epoch. What an example is depends on the task.

import type { Feeds, Values } from '../runtime/index.ts';

/** One forward and backward pass. */
export interface TrainingBatch {
  /** Inputs of the model, by the names of the graph's inputs, such as `source` and `target`. */
  readonly inputs: Feeds;
  /** The token that the model should predict at each position, padded: [batch, target]. */
  readonly expected: Values;
  /** Number of expected tokens without padding, the divisor of the loss. */
  readonly targetTokens: number;
}

export interface Epoch {
  /** The indices of each batch's examples, in the order of training. */
  readonly batches: readonly Uint32Array[];
  /** Examples in no batch, since each exceeds the limit of a batch. */
  readonly leftOut: number;
}

/**
 * The batches of a run, a function of seed, epoch and step, so that a resumed run has the same batches as an uninterrupted one.
 */
export interface Batches {
  /** @param number from 1 */
  epoch(number: number): Epoch;
  /** The examples of a batch for a step, from 1; several batches if augmented examples have become too long for one. */
  read(indices: Uint32Array, step: number): readonly TrainingBatch[];
  /** The share of an epoch's tokens that are padding. */
  padding(number: number): number;
  /** Target tokens of an epoch. */
  targetTokens(number: number): number;
}
