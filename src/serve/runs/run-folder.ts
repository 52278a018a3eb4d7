// A training run seen through the files in its folder: its state, its events, and the request to stop it. Works the
// same for a run in this process, in another one, and for one that has ended.

import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { errorCode, fileError } from '../../base/file-error.ts';
import { mayBeAlive, processIdentity } from '../../base/process-identity.ts';
import {
  runFiles,
  type SpeedRecord,
  type StepEvent,
  type StopEvent,
  speedRecord,
  type TrainingEvent,
  trainingEvent,
  type ValidationEvent,
} from '../../train/index.ts';
import { GrowingLog } from './growing-log.ts';
import type { RunState, RunSummary } from './schemas.ts';

/** Paths in a recipe are private to this machine, and left out. */
const pathKeys = ['source', 'target', 'validSource', 'validTarget', 'cache', 'corpora', 'text', 'validText'];

export class RunFolder {
  readonly events: GrowingLog<TrainingEvent>;
  readonly speeds: GrowingLog<SpeedRecord>;
  private readonly files;

  constructor(
    readonly name: string,
    folder: string,
  ) {
    this.files = runFiles(folder);
    this.events = new GrowingLog(this.files.events, parserOf(trainingEvent));
    this.speeds = new GrowingLog(this.files.speed, parserOf(speedRecord));
  }

  /** Changes whenever a log was truncated or replaced. */
  get generation(): string {
    return `${this.events.generation}/${this.speeds.generation}`;
  }

  /** Reads the new lines of both logs and returns the state of the run. @throws HeedError if a file cannot be read */
  async look(): Promise<RunState> {
    // Before the logs are read, so that all lines of a process that has ended are read too.
    const isTraining = await this.isTraining();
    await Promise.all([this.events.refresh(), this.speeds.refresh()]);
    if (isTraining) return (await textIfAny(this.files.stop)) === undefined ? 'running' : 'stopping';
    if (this.events.records.at(-1)?.kind === 'stop') return 'finished';
    const hasBegun = this.events.records.length > 0 || (await textIfAny(this.files.run)) !== undefined;
    return hasBegun ? 'stopped' : 'preparing';
  }

  async summary(): Promise<Omit<RunSummary, 'mayStop'>> {
    const state = await this.look();
    const events = this.events.records;
    const latest = {
      step: events.findLast((event): event is StepEvent => event.kind === 'step'),
      validation: events.findLast((event): event is ValidationEvent => event.kind === 'validation'),
      stop: events.findLast((event): event is StopEvent => event.kind === 'stop'),
      speed: this.speeds.records.at(-1),
    };
    return { name: this.name, state, recipe: await this.recipe(), latest };
  }

  /** Asks the training process to save and stop; it polls every half second. */
  async requestStop(): Promise<void> {
    try {
      await writeFile(this.files.stop, '', { flag: 'a' });
    } catch (cause) {
      throw fileError(this.files.stop, 'cannot be written', cause);
    }
  }

  private async isTraining(): Promise<boolean> {
    const identity = parserOf(processIdentity)((await textIfAny(this.files.process)) ?? '');
    return identity !== undefined && mayBeAlive(identity);
  }
  private async recipe(): Promise<Record<string, unknown>> {
    const recipe = runRecord((await textIfAny(this.files.run)) ?? '')?.recipe ?? {};
    return Object.fromEntries(Object.entries(recipe).filter(([key]) => !pathKeys.includes(key)));
  }
}

const runRecord = parserOf(z.object({ recipe: z.record(z.string(), z.unknown()) }));

/** Reads JSON of one shape; undefined for anything else, such as a line cut short by a crash. */
function parserOf<S extends z.ZodType>(schema: S): (text: string) => z.output<S> | undefined {
  return (text) => {
    try {
      return schema.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined;
    }
  };
}

async function textIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined;
    throw fileError(path, 'cannot be read', cause);
  }
}
