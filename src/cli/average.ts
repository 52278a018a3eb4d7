// heed average: one model from several checkpoints of a run.

import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { HeedError } from '../base/error.ts';
import { averageParameters, decodeSafetensors, type StoredModel } from '../model/index.ts';
import { loadModel, readFileIfAny, saveModel } from '../model/node.ts';
import type { ParameterSet } from '../runtime/index.ts';
import { note } from './terminal.ts';

export function addAverageCommand(program: Command): void {
  program
    .command('average')
    .description('Average the weights of checkpoints: model folders, or training/step-*.safetensors of one.')
    .requiredOption('--output <folder>', 'Folder of the averaged model.')
    .argument('<checkpoint...>', 'Model folders or checkpoint files.')
    .action(async (checkpoints: string[], { output }: { output: string }) => {
      const model = await modelOf(checkpoints[0]);
      const sets: ParameterSet[] = [];
      for (const path of checkpoints) sets.push(await weightsOf(path, model));
      await saveModel(output, { ...model, parameters: averageParameters(sets) });
      note(`averaged ${checkpoints.length} checkpoints into ${output}`);
    });
}

/** The model that a checkpoint belongs to: the folder itself, or the one above a file's `training` folder. */
async function modelOf(checkpoint: string): Promise<StoredModel> {
  return loadModel((await isFolder(checkpoint)) ? checkpoint : dirname(dirname(checkpoint)));
}

async function weightsOf(checkpoint: string, model: StoredModel): Promise<ParameterSet> {
  const path = (await isFolder(checkpoint)) ? join(checkpoint, 'model.safetensors') : checkpoint;
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
