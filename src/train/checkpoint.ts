// A run on disk, inside the model's folder:
//   training/last.safetensors    weights, both moments of Adam, and in its metadata where the run stands: one file, so
//                                that they always belong together
//   training/step-*.safetensors  weights of the last checkpoints, for averaging
//   training/events.jsonl        what happened

import { HeedError } from '../base/error.ts';
import {
  averageParameters,
  decodeSafetensors,
  encodeSafetensors,
  type NamedArray,
  type StoredModel,
} from '../model/index.ts';
import {
  appendJsonLine,
  listFolder,
  makeFolder,
  readFileIfAny,
  removeFile,
  saveModel,
  truncateFile,
  writeFileAtomically,
} from '../model/node.ts';
import type { ParameterSet } from '../runtime/index.ts';
import type { Adam } from './adam.ts';
import type { TrainingEvent } from './events.ts';
import type { TrainingState } from './state.ts';
import type { TrainingStore } from './trainer.ts';

const stateKey = 'state';
const checkpointName = /^step-\d+\.safetensors$/;

/** The store of a run whose model is to be used from a folder. */
export class FolderStore implements TrainingStore {
  private readonly training: string;

  /** @param model all of the model but its weights */
  constructor(
    private readonly folder: string,
    private readonly model: Omit<StoredModel, 'parameters'>,
  ) {
    this.training = `${folder}/training`;
  }

  async load(parameters: ParameterSet, adam: Adam): Promise<TrainingState | undefined> {
    const path = this.path('last.safetensors');
    const bytes = await readFileIfAny(path);
    if (bytes === undefined) return undefined;
    const { arrays, metadata } = decodeSafetensors(bytes, path);
    for (const [prefix, set] of sections(parameters, adam)) set.assign(withPrefix(arrays, prefix), path);
    const state = metadata[stateKey];
    if (state === undefined) throw new HeedError(path, 'does not say where its run stands.');
    const resumed: TrainingState = JSON.parse(state);
    await truncateFile(this.path('events.jsonl'), resumed.eventBytes);
    return resumed;
  }

  async save(state: TrainingState, parameters: ParameterSet, adam: Adam): Promise<void> {
    const arrays = sections(parameters, adam).flatMap(([prefix, set]) =>
      set.parameters.map(({ name, shape, data }): NamedArray => ({ name: `${prefix}${name}`, shape, data })),
    );
    await makeFolder(this.training);
    const bytes = encodeSafetensors(arrays, { [stateKey]: JSON.stringify(state) });
    await writeFileAtomically(this.path('last.safetensors'), bytes);
  }

  publish(parameters: ParameterSet): Promise<void> {
    return saveModel(this.folder, { ...this.model, parameters });
  }

  async keep(step: number, parameters: ParameterSet, keep: number): Promise<void> {
    await makeFolder(this.training);
    const name = `step-${String(step).padStart(9, '0')}.safetensors`;
    await writeFileAtomically(this.path(name), encodeSafetensors(parameters.parameters));
    for (const old of (await this.checkpoints()).slice(0, -keep)) await removeFile(this.path(old));
  }

  async average(like: ParameterSet): Promise<ParameterSet> {
    const sets: ParameterSet[] = [];
    for (const name of await this.checkpoints()) sets.push(await readCheckpoint(this.path(name), like));
    return averageParameters(sets);
  }

  log(event: TrainingEvent): Promise<number> {
    return appendJsonLine(this.path('events.jsonl'), event);
  }

  private async checkpoints(): Promise<string[]> {
    return (await listFolder(this.training)).filter((name) => checkpointName.test(name));
  }

  private path(name: string): string {
    return `${this.training}/${name}`;
  }
}

async function readCheckpoint(path: string, like: ParameterSet): Promise<ParameterSet> {
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
