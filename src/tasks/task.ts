// A task: what a model is trained to do. It turns a recipe into a trainer, from text to batches, loss and model folder.

import type { z } from 'zod';
import type { Trainer, TrainerSetup } from '../train/index.ts';
import type { Estimate } from './estimate.ts';
import type { Recipe, RecipeBook } from './recipe.ts';
import type { Run } from './run-file.ts';

export interface Task<R extends Recipe = Recipe> extends RecipeBook {
  /** What `heed train --task` and `train({ task })` call it. */
  readonly name: string;
  /** One line for --help. */
  readonly description: string;
  /**
   * Every option with its default and its description: flags, configuration files and docs are made from it. It contains
   * the options of training that the task supports (`trainingOptions`).
   */
  readonly recipe: z.ZodObject & z.ZodType<R>;

  /** Recipes by name. */
  readonly presets: Readonly<Record<string, Partial<R>>>;
  /**
   * Options that may change when a run is resumed, besides `changeableOptions` of training: paths of files, whose content is
   * checked instead.
   */
  readonly paths: readonly string[];
  /** Prepares a run up to its first step. @throws HeedError if the options or the text are refused; nothing is left then */
  prepare(setup: RunSetup<R>): Promise<Trainer>;
  /** What a run will take, from its text and a few timed updates. Nothing is written. */
  estimate(recipe: R): Promise<Estimate>;
}

export interface RunSetup<R extends Recipe = Recipe> {
  readonly recipe: R;
  /** Folder of the model to make. */
  readonly folder: string;
  /** The run that the folder holds, to be resumed; default: a new one begins. */
  readonly resumed?: Run | undefined;
  readonly hooks: RunHooks;
}

export interface RunHooks extends Pick<TrainerSetup, 'onEvent' | 'onProgress' | 'signal'> {
  /** Called once, before the first step. */
  readonly onPrepared?: ((prepared: Prepared) => void) | undefined;
}

/** What a run is about to learn from, and what. */
export interface Prepared {
  /** A corpus each. */
  readonly data: readonly DataReport[];
  /** Pieces of each vocabulary. */
  readonly vocabularySizes: readonly number[];
  readonly parameters: number;
  /** Of the first epoch. */
  readonly updatesPerEpoch: number;
  /** Share of the first epoch's tokens that are padding. */
  readonly padding: number;
  /** Examples that are left out because each is larger than a batch may be (maxTokens). */
  readonly leftOut: number;
}

export interface DataReport {
  /** What is counted, such as `pairs`. */
  readonly unit: string;
  readonly read: number;
  readonly used: number;
  /** Why the others are not used, a line each. */
  readonly notes: readonly string[];
}
