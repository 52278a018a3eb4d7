// The interface of the storage of a run.

import type { ParameterSet } from '../runtime/index.ts';
import type { Adam } from './adam.ts';
import type { TrainingEvent } from './events.ts';
import type { TrainingState } from './state.ts';

/** Stores a run. Every method is atomic: a crash leaves the old content or the new. */
export interface TrainingStore {
  /** The run's last state, copied into parameters and optimizer; undefined if there is none. */
  load(parameters: ParameterSet, adam: Adam): Promise<TrainingState | undefined>;
  /** Undoes what was written after this state was saved. */
  rewind(state: TrainingState): Promise<void>;
  save(state: TrainingState, parameters: ParameterSet, adam: Adam): Promise<void>;
  /** Makes these the weights of the model from now on. */
  publish(parameters: ParameterSet): Promise<void>;
  /** Keeps a copy of the published weights, which `rewind` restores: what a run publishes at its end must not affect its continuation. */
  setBestAside(): Promise<void>;
  /** Keeps a checkpoint's weights for averaging. */
  keep(step: number, parameters: ParameterSet): Promise<void>;
  /** Removes all kept checkpoints except the last `allBut`. */
  forget(allBut: number): Promise<void>;
  /** The mean of the last `count` checkpoints kept, whose names and shapes are those of `like`. */
  average(like: ParameterSet, count: number): Promise<ParameterSet>;
  /** Appends an event; returns the length of the log in bytes. */
  log(event: TrainingEvent): Promise<number>;
}
