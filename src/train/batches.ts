// What the training loop knows of its data: batches of examples, an epoch at a time. A task decides what an example is.

import type { Feeds, Values } from '../runtime/index.ts';

/** One forward and backward pass. */
export interface TrainingBatch {
  /** What the model reads, by the names of the graph's inputs, such as `source` and `target`. */
  readonly inputs: Feeds;
  /** The token that the model should predict at each position, padded: [batch, target]. */
  readonly expected: Values;
  /** Expected tokens without padding: what the loss is divided by. */
  readonly targetTokens: number;
}

export interface Epoch {
  /** Indices of examples, a batch each, in the order of training. */
  readonly batches: readonly Uint32Array[];
  /** Examples that are in no batch because each is larger than a batch may be. */
  readonly leftOut: number;
}

/**
 * The batches of a run. All of them are a function of the seed, the epoch and the step, so that a resumed run sees the batches
 * that it would have seen without the interruption.
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
