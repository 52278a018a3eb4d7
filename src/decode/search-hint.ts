// What a search will most likely ask next, for a model that can compute steps before they are asked for. Answers never depend on it.

import type { StepModel } from './step.ts';

/** A model that is told, before each step, what to expect. */
export interface HintedModel extends StepModel {
  /** @param hint of a search of a single sentence; undefined, or returning undefined, where nothing can be predicted */
  expect(hint: (() => SearchHint | undefined) | undefined): void;
}

export function takesHints(model: StepModel): model is HintedModel {
  return 'expect' in model;
}

/** What a search of a single sentence asks if all it wants is allowed. */
export interface SearchHint {
  /** Steps at most, the one at hand included. */
  readonly steps: number;
  /** Absent: greedy search, which goes on with the best token until that is END. */
  readonly beam?: BeamHint;
}

/**
 * Beam search goes on with the best `width` candidates by total, END left out, until the best score that the first of them can lead
 * to is none above the threshold. The score of an END that is among the best `width` is the new threshold if it is higher.
 */
export interface BeamHint {
  /** Of each row the sum of its log-probabilities; −Infinity in spare rows. */
  readonly totals: Float32Array;
  readonly threshold: number;
  /** By position: what makes a score of the total of an END there. */
  readonly endWeights: Float32Array;
  /** By position: what makes of a total there the best score that it can lead to. */
  readonly liveWeights: Float32Array;
}
