// Search hints: predicted requests of a search, for models that prefetch steps. Results never depend on them.

import type { StepModel } from './step.ts';

/** A model that gets a hint before each step. */
export interface HintedModel extends StepModel {
  /** @param hint of a search of a single sentence; undefined, or returning undefined, if nothing can be predicted */
  expect(hint: (() => SearchHint | undefined) | undefined): void;
}

export function takesHints(model: StepModel): model is HintedModel {
  return 'expect' in model;
}

/** The requests of a search for a single sentence, if no rule forbids what it would select. */
export interface SearchHint {
  /** Maximum number of steps, including the current one. */
  readonly steps: number;
  /** Absent: greedy search, which continues with the best token until it is END. */
  readonly beam?: BeamHint;
}

/**
 * Beam search continues with the best `width` candidates by total, without END, until the best score that the first of them can
 * reach does not exceed the threshold. An END among the best `width` raises the threshold to its score.
 */
export interface BeamHint {
  /** The sum of log-probabilities of each row; −Infinity in spare rows. */
  readonly totals: Float32Array;
  readonly threshold: number;
  /** By position: the factor from the total of an END there to its score. */
  readonly endWeights: Float32Array;
  /** By position: the factor from a live total there to the best score that it can reach. */
  readonly liveWeights: Float32Array;
}
