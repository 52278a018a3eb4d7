// Training as a library user starts it: from options to a model folder. `heed train` is this function with a progress report.

import type { z } from 'zod';
import { HeedError } from '../base/error.ts';
import { parseOptions } from '../base/options.ts';
import { fileNames } from '../model/index.ts';
import { listFolder, readFileIfAny } from '../model/node.ts';
import { type Outcome, runFiles, type Trainer, trainingEvent, type ValidationEvent } from '../train/index.ts';
import { recordSpeed, withProcessRecord } from './process-record.ts';
import { type Recipe, requestedOptions } from './recipe.ts';
import { defaultTask, taskNamed } from './registry.ts';
import { type Run, readRun, resumedRecipe } from './run-file.ts';
import { SpeedMeter } from './speed.ts';
import type { RunHooks } from './task.ts';
import type { translationRecipe } from './translation/index.ts';

export interface RunRequest {
  /** Folder of the model to make, or to resume. */
  readonly model: string;
  /** What to learn. Default: `translate`, or the task of the run to resume. */
  readonly task?: string | undefined;
  /** A recipe by name, such as `small`; the options given beside it override it. */
  readonly preset?: string | undefined;
  /** Path of a YAML file with options; the options given beside it override it. */
  readonly config?: string | undefined;
  /**
   * Whether to resume the stopped run in the folder, which needs no other option. Default false: the folder must hold
   * neither a model nor a run.
   */
  readonly resume?: boolean | undefined;
}

/** A translation model: all options of `heed train`, by their names in a configuration file. */
export type TrainOptions = RunRequest & { readonly task?: 'translate' } & z.input<typeof translationRecipe>;

/** Any registered task, with the options of its recipe. */
export type TaskOptions = RunRequest & { readonly task: string } & Recipe;

export interface TrainHooks extends RunHooks {
  /** Called once if another process asks, through the run's folder, that it save and stop. */
  readonly onStopRequest?: (() => void) | undefined;
}

export interface TrainResult {
  /**
   * finished: all epochs or steps are done. patience: no improvement. interrupted: stopped by the signal or by request, and saved.
   * already finished: there was nothing left to do.
   */
  readonly outcome: Outcome;
  /** The model's folder. */
  readonly model: string;
  /** The last validation of the run; undefined if there was none. */
  readonly validation: ValidationEvent | undefined;
}

/**
 * Trains a model from text to a folder that `Translator.load` reads. While it runs, `training/process.json` in that folder names
 * the process. Aborting `signal` stops it after the batch under way; `resume: true` goes on, and ends with the same weights as a
 * run that was never stopped.
 *
 * @example
 * const { validation } = await train({ source: 'train.en', target: 'train.de', model: 'en-de', preset: 'small' });
 * @throws HeedError for options, text or a folder that cannot be used
 */
export async function train(options: TrainOptions, hooks?: TrainHooks): Promise<TrainResult>;
export async function train(options: TaskOptions, hooks?: TrainHooks): Promise<TrainResult>;
export async function train(request: RunRequest, hooks: TrainHooks = {}): Promise<TrainResult> {
  const run = await requestedRun(request);
  const outcome = await runTraining(run, hooks);
  return { outcome, model: run.folder, validation: await lastValidation(run.folder) };
}

/** A run whose options are complete and checked. */
export interface RequestedRun {
  readonly folder: string;
  readonly recipe: Recipe;
  /** The trainer, up to its first step. */
  prepare(hooks: RunHooks): Promise<Trainer>;
}

/** @throws HeedError for options that cannot be used, a folder that is in use, or one without a run to resume */
export async function requestedRun(request: RunRequest): Promise<RequestedRun> {
  const { model: folder, task: name, preset, config, resume = false, ...options } = request;
  const resumed = resume ? await runToResume(folder, name) : undefined;
  const task = taskNamed(name ?? resumed?.task ?? defaultTask);
  const given = await requestedOptions(task, { preset, config, options });
  if (resumed === undefined) await checkUnused(folder);
  const recipe =
    resumed === undefined
      ? parseOptions(task.recipe, given, 'train')
      : resumedRecipe(task, { stored: resumed.recipe, given, place: runFiles(folder).run });
  return { folder, recipe, prepare: (hooks) => task.prepare({ recipe, folder, resumed, hooks }) };
}

/**
 * Prepares a run and trains. Other processes see it by the files in its folder: which process it is, how fast it is; and they may
 * ask it to stop.
 */
export async function runTraining(
  { folder, prepare }: Pick<RequestedRun, 'folder' | 'prepare'>,
  { onStopRequest, signal, ...hooks }: TrainHooks,
): Promise<Outcome> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  try {
    const trainer = await prepare({ ...hooks, ...measured(folder, hooks), signal: stop.signal });
    const stopRequested = () => {
      onStopRequest?.();
      abort();
    };
    return await withProcessRecord(folder, stopRequested, () => trainer.run());
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** The same hooks, and the speed is recorded at each step event. */
function measured(folder: string, { onEvent, onProgress }: RunHooks): Pick<RunHooks, 'onEvent' | 'onProgress'> {
  const speed = new SpeedMeter();
  return {
    onEvent: (event) => {
      onEvent?.(event);
      if (event.kind === 'step') recordSpeed(folder, event.step, speed.tokensPerSecond());
    },
    onProgress: (progress) => {
      speed.update(progress.targetTokens);
      onProgress?.(progress);
    },
  };
}

async function runToResume(folder: string, task: string | undefined): Promise<Run> {
  const run = await readRun(folder);
  if (run === undefined) throw new HeedError(folder, 'holds no run to resume; leave out --resume to start one.');
  if (task === undefined || task === run.task) return run;
  throw new HeedError('--task', `must be the task of the run, ${run.task}, got ${task}; leave it out.`);
}

/** A folder that holds a model or a run is not trained over by accident. */
async function checkUnused(folder: string): Promise<void> {
  if ((await listFolder(folder)).includes(fileNames.config)) {
    throw new HeedError(folder, 'already holds a model; use --resume to go on with it, or name another folder.');
  }
  if ((await readFileIfAny(runFiles(folder).run)) !== undefined) {
    throw new HeedError(folder, 'already holds a run; use --resume to go on with it, or name another folder.');
  }
}

/** The run may have been validated by an earlier process, so the log is asked. */
async function lastValidation(folder: string): Promise<ValidationEvent | undefined> {
  const log = new TextDecoder().decode(await readFileIfAny(runFiles(folder).events));
  const events = log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => trainingEvent.parse(JSON.parse(line)));
  return events.findLast((event) => event.kind === 'validation');
}
