// The steps that the preparation of a run has in common, whatever its task: check the options and the files, get the tokenizers,
// make the trainer, write the run's record. Prints nothing.

import type { StoredModel } from '../model/index.ts';
import { makeFolder, removeEmptyFolder } from '../model/node.ts';
import { compile } from '../runtime/node/index.ts';
import { checkOptions, FolderStore, Trainer, type TrainerSetup, trainingOptions } from '../train/index.ts';
import { startAdamThread } from '../train/node.ts';
import { pickOptions, type Recipe } from './recipe.ts';
import { checkSameData, type DataHash, type Run, runName, writeRun } from './run-file.ts';
import type { Prepared, RunSetup, Task } from './task.ts';
import type { Tokenizers } from './tokenizers.ts';

/** What a task does at each step of the preparation, in this order. */
export interface RunPlan {
  readonly hasValidation: boolean;
  /** The files of the run: a resumed one must have the same. */
  hashes(): Promise<readonly DataHash[]>;
  /** Not called for a resumed run, which has its tokenizers. */
  tokenizers(hashes: readonly DataHash[]): Promise<Tokenizers>;
  parts(run: Run): Promise<RunParts>;
}

/** The parts of a trainer, and a report of the data. */
export interface RunParts
  extends Pick<TrainerSetup, 'graph' | 'width' | 'batches' | 'validation' | 'taskMetrics'>,
    Pick<Prepared, 'data' | 'vocabularySizes'> {
  readonly model: Omit<StoredModel, 'parameters'>;
}

/**
 * Prepares a run up to its first step. The record is written last: until it is there, a killed preparation starts from the
 * beginning, with the cache if that was finished. If the options or the text are refused, nothing is left.
 */
export async function prepareRun<R extends Recipe>(
  task: Pick<Task<R>, 'name' | 'paths'>,
  setup: RunSetup<R>,
  plan: RunPlan,
): Promise<Trainer> {
  const { recipe, folder, resumed } = setup;
  checkOptions(pickOptions(trainingOptions, recipe), plan);
  const data = await plan.hashes();
  if (resumed !== undefined) checkSameData(resumed.data, data);
  const tokenizers = resumed?.tokenizers ?? (await plan.tokenizers(data));
  const name = resumed?.name ?? runName(task, { recipe: resumed?.recipe ?? recipe, data, tokenizers });
  const run: Run = { task: task.name, name, recipe, data, tokenizers };
  try {
    const trainer = await createTrainer(setup, { parts: await plan.parts(run), name });
    await makeFolder(`${folder}/training`);
    await writeRun(folder, run);
    return trainer;
  } catch (error) {
    await removeEmptyFolder(`${folder}/training`);
    await removeEmptyFolder(folder);
    throw error;
  }
}

async function createTrainer(
  { recipe, folder, hooks }: RunSetup,
  { parts, name }: { readonly parts: RunParts; readonly name: string },
): Promise<Trainer> {
  const { model, data, vocabularySizes, ...learned } = parts;
  const { onPrepared, ...others } = hooks;
  const options = pickOptions(trainingOptions, recipe);
  const trainer = await Trainer.create({
    compile,
    options,
    ...learned,
    store: new FolderStore(folder, model, name),
    startAdamHelper: options.threads === 1 ? undefined : startAdamThread,
    ...others,
  });
  const { batches } = parts;
  const epoch = batches.epoch(1);
  onPrepared?.({
    data,
    vocabularySizes,
    parameters: trainer.parameters.size,
    updatesPerEpoch: Math.ceil(epoch.batches.length / options.accumulate),
    padding: batches.padding(1),
    leftOut: epoch.leftOut,
  });
  return trainer;
}
