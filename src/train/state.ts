// The state of a run: everything besides weights and moments that the next step depends on. It contains no generator states, since
// random streams are determined by seed, epoch and step.

import type { StopReason } from './events.ts';

export interface TrainingState {
  /** Updates done. */
  step: number;
  /** The epoch under way, from 1, and the batches of it that are done. */
  epoch: number;
  batch: number;
  validationsWithoutImprovement: number;
  /** The score of the best weights so far; lower is better. */
  best: number | undefined;
  /** Sums since the last step event and since the epoch began. */
  interval: Sums;
  epochSums: Sums;
  /** Bytes of events.jsonl that belong to this state. */
  eventBytes: number;
  /** The step of the last checkpoint. */
  checkpointed: number;
  /** Set once the run is finished; the other fields do not include what was written at the end. */
  finished: { reason: StopReason; eventBytes: number } | undefined;
}

export interface Sums {
  loss: number;
  negativeLogLikelihood: number;
  targetTokens: number;
}

export function noSums(): Sums {
  return { loss: 0, negativeLogLikelihood: 0, targetTokens: 0 };
}

export function addTo(sums: Sums, more: Readonly<Sums>): void {
  sums.loss += more.loss;
  sums.negativeLogLikelihood += more.negativeLogLikelihood;
  sums.targetTokens += more.targetTokens;
}

export function initialState(): TrainingState {
  return {
    step: 0,
    epoch: 1,
    batch: 0,
    validationsWithoutImprovement: 0,
    best: undefined,
    interval: noSums(),
    epochSums: noSums(),
    eventBytes: 0,
    checkpointed: 0,
    finished: undefined,
  };
}

/**
 * A saved state. Its keys are in the order of a new state's, so that it is saved again as the same bytes.
 * @param text JSON; heed 0.1 wrote `stale` for `validationsWithoutImprovement`
 */
export function parseState(text: string): TrainingState {
  const { stale, ...saved } = JSON.parse(text);
  return { ...initialState(), ...(stale === undefined ? {} : { validationsWithoutImprovement: stale }), ...saved };
}
