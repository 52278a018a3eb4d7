// What the loop asks of the place where a run is kept.

import type { ParameterSet } from '../runtime/index.ts';
import type { Adam } from './adam.ts';
import type { TrainingEvent } from './events.ts';
import type { TrainingState } from './state.ts';

/** Keeps what a run must not lose. Every method is atomic: a crash leaves the old content or the new. */
export interface TrainingStore {
  /** The run's last state, copied into parameters and optimizer; undefined if there is none. */
  load(parameters: ParameterSet, adam: Adam): Promise<TrainingState | undefined>;
  /** Takes back what was written after this state was saved, so that it can happen again. */
  rewind(state: TrainingState): Promise<void>;
  save(state: TrainingState, parameters: ParameterSet, adam: Adam): Promise<void>;
  /** The weights that the model will be used with from now on. */
  publish(parameters: ParameterSet): Promise<void>;
  /** Keeps a copy of the published weights for `rewind`, since what a run publishes at its end is not for going on. */
  setBestAside(): Promise<void>;
  /** Keeps a checkpoint's weights for averaging. */
  keep(step: number, parameters: ParameterSet): Promise<void>;
  /** Removes all checkpoints kept but the last so many. */
  forget(allBut: number): Promise<void>;
  /** The mean of the last `count` checkpoints kept, whose names and shapes are those of `like`. */
  average(like: ParameterSet, count: number): Promise<ParameterSet>;
  /** Appends an event; returns the length of the log in bytes. */
  log(event: TrainingEvent): Promise<number>;
}
