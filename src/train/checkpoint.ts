// A run on disk, inside the model's folder:
//   training/last.safetensors    weights, both moments of Adam and, in its metadata, the state of the run: one file, so
//                                that they are always consistent
//   training/step-*.safetensors  weights of the last checkpoints, for averaging
//   training/best.safetensors    once the run has ended: the best weights before that, in case it is resumed
//   training/events.jsonl        the events of the run
// Files for the communication with other processes are listed in run-files.ts.

import { HeedError } from '../base/error.ts';
import {
  averageParameters,
  decodeSafetensors,
  encodeSafetensors,
  fileNames,
  type NamedArray,
  type StoredModel,
} from '../model/index.ts';
import {
  appendJsonLine,
  listFolder,
  makeFolder,
  readFileIfAny,
  removeFile,
  removePartials,
  saveModel,
  truncateFile,
  writeFileAtomically,
} from '../model/node.ts';
import type { ParameterSet } from '../runtime/index.ts';
import type { Adam } from './adam.ts';
import type { TrainingEvent } from './events.ts';
import { runFiles } from './run-files.ts';
import { parseState, type TrainingState } from './state.ts';
import type { TrainingStore } from './store.ts';

const stateName = 'last.safetensors';
const bestName = 'best.safetensors';

/** Stores a run in the folder of its model. */
export class FolderStore implements TrainingStore {
  private readonly training: string;
  private readonly events: string;

  /**
   * @param model all of the model but its weights
   * @param run identifies the run, so that the state of another one is refused
   */
  constructor(
    private readonly folder: string,
    private readonly model: Omit<StoredModel, 'parameters'>,
    private readonly run: string,
  ) {
    this.training = `${folder}/training`;
    this.events = runFiles(folder).events;
  }

  async load(parameters: ParameterSet, adam: Adam): Promise<TrainingState | undefined> {
    const path = this.path(stateName);
    const bytes = await readFileIfAny(path);
    if (bytes === undefined) return undefined;
    const { arrays, metadata } = decodeSafetensors(bytes, path);
    const { run, state } = metadata;
    if (state === undefined)
      throw new HeedError(path, 'contains no state of a run; put the right file back, or start a new run.');
    if (run !== this.run) {
      const todo = 'put the right file back, or start a new run';
      throw new HeedError(path, `belongs to a run on other data or with other options; ${todo}.`);
    }
    for (const [prefix, set] of sections(parameters, adam)) set.assign(withPrefix(arrays, prefix), path);
    return parseState(state);
  }

  async rewind(state: TrainingState): Promise<void> {
    await makeFolder(this.training);
    await removePartials(this.training);
    await truncateFile(this.events, state.eventBytes);
    for (const name of await this.checkpoints()) {
      if (name > checkpointName(state.checkpointed)) await removeFile(this.path(name));
    }
    const best = await readFileIfAny(this.path(bestName));
    if (best === undefined) return;
    await writeFileAtomically(this.published, best);
    await removeFile(this.path(bestName));
  }

  async save(state: TrainingState, parameters: ParameterSet, adam: Adam): Promise<void> {
    const arrays = sections(parameters, adam).flatMap(([prefix, set]) =>
      set.parameters.map(({ name, shape, data }): NamedArray => ({ name: `${prefix}${name}`, shape, data })),
    );
    const bytes = encodeSafetensors(arrays, { run: this.run, state: JSON.stringify(state) });
    await writeFileAtomically(this.path(stateName), bytes);
  }

  publish(parameters: ParameterSet): Promise<void> {
    return saveModel(this.folder, { ...this.model, parameters });
  }

  async setBestAside(): Promise<void> {
    const best = await readFileIfAny(this.published);
    if (best !== undefined) await writeFileAtomically(this.path(bestName), best);
  }

  async keep(step: number, parameters: ParameterSet): Promise<void> {
    await writeFileAtomically(this.path(checkpointName(step)), encodeSafetensors(parameters.parameters));
  }

  async forget(allBut: number): Promise<void> {
    for (const old of (await this.checkpoints()).slice(0, -allBut)) await removeFile(this.path(old));
  }

  async average(like: ParameterSet, count: number): Promise<ParameterSet> {
    const sets: ParameterSet[] = [];
    for (const name of (await this.checkpoints()).slice(-count)) sets.push(await readWeights(this.path(name), like));
    return averageParameters(sets);
  }

  log(event: TrainingEvent): Promise<number> {
    return appendJsonLine(this.events, event);
  }

  /** Names of the checkpoints kept, by step. */
  private async checkpoints(): Promise<string[]> {
    return (await listFolder(this.training)).filter((name) => /^step-\d+\.safetensors$/.test(name));
  }

  private path(name: string): string {
    return `${this.training}/${name}`;
  }

  private get published(): string {
    return `${this.folder}/${fileNames.weights}`;
  }
}

/** Sorted by name, checkpoints are sorted by step. */
function checkpointName(step: number): string {
  return `step-${String(step).padStart(9, '0')}.safetensors`;
}

async function readWeights(path: string, like: ParameterSet): Promise<ParameterSet> {
  const bytes = await readFileIfAny(path);
  if (bytes === undefined) throw new HeedError(path, 'is gone; it was a checkpoint of this run.');
  const set = like.zeros();
  set.assign(decodeSafetensors(bytes, path).arrays, path);
  return set;
}

function sections(parameters: ParameterSet, adam: Adam): [prefix: string, set: ParameterSet][] {
  return [
    ['weights/', parameters],
    ['firstMoment/', adam.firstMoment],
    ['secondMoment/', adam.secondMoment],
  ];
}

/** The arrays whose names begin with a prefix, without it. */
function withPrefix(arrays: ReadonlyMap<string, NamedArray>, prefix: string): Map<string, NamedArray> {
  const chosen = [...arrays].filter(([name]) => name.startsWith(prefix));
  return new Map(chosen.map(([name, array]) => [name.slice(prefix.length), array]));
}
