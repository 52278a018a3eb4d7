// One model from several checkpoints of a run.

import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HeedError } from '../base/error.ts';
import { averageParameters, decodeSafetensors, fileNames, type StoredModel } from '../model/index.ts';
import { loadModel, readFileIfAny } from '../model/node.ts';
import type { ParameterSet } from '../runtime/index.ts';

/**
 * The model of the mean weights; everything else is that of the first checkpoint.
 * @param checkpoints model folders, or files training/step-*.safetensors in one
 * @throws HeedError if a checkpoint cannot be read, or has another architecture or vocabulary than the first one
 */
export async function averageCheckpoints(checkpoints: readonly string[]): Promise<StoredModel> {
  const [first, ...others] = checkpoints;
  const model = await modelOf(first);
  for (const path of others) checkAlike(first, model, path, await modelOf(path));
  const sets: ParameterSet[] = [];
  for (const path of checkpoints) sets.push(await weightsOf(path, model));
  return { ...model, parameters: averageParameters(sets) };
}

/** The model that a checkpoint belongs to: the folder itself, or the one above a file's `training` folder. */
async function modelOf(checkpoint: string): Promise<StoredModel> {
  return loadModel((await isFolder(checkpoint)) ? checkpoint : dirname(dirname(checkpoint)));
}

/** Weights can be averaged only if architecture and vocabulary are the same. */
function checkAlike(firstPath: string, first: StoredModel, path: string, other: StoredModel): void {
  const differs = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);
  const architecture: Readonly<Record<string, unknown>> = { ...first.config };
  const unlike = Object.entries(other.config).find(([key, value]) => differs(value, architecture[key]));
  if (unlike !== undefined) {
    const [key, value] = unlike;
    const values = `${key} is ${JSON.stringify(value)}, that of ${firstPath} is ${JSON.stringify(architecture[key])}`;
    throw new HeedError(path, `only models of one architecture can be averaged: its ${values}.`);
  }
  for (const side of ['sourceTokenizer', 'targetTokenizer'] as const) {
    if (!differs(first[side], other[side])) continue;
    throw new HeedError(
      path,
      `only models of one vocabulary can be averaged; its ${side} is not that of ${firstPath}.`,
    );
  }
}

async function weightsOf(checkpoint: string, model: StoredModel): Promise<ParameterSet> {
  const path = (await isFolder(checkpoint)) ? join(checkpoint, fileNames.weights) : checkpoint;
  const bytes = await readFileIfAny(path);
  if (bytes === undefined) throw new HeedError(path, 'no such file; check the path.');
  const set = model.parameters.zeros();
  set.assign(decodeSafetensors(bytes, path).arrays, path);
  return set;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (cause) {
    throw new HeedError(path, 'no such model folder or checkpoint; check the path.', { cause });
  }
}
