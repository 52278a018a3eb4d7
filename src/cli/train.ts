// heed train: learns a model from parallel text.

import type { Command } from 'commander';
import { HeedError } from '../base/error.ts';
import { describeDropped } from '../data/index.ts';
import { listFolder } from '../model/node.ts';
import type { Outcome } from '../train/index.ts';
import { addFlags, flagValues } from './flags.ts';
import { ProgressReport } from './progress.ts';
import { presets, type Recipe, recipeOptions, resolveRecipe } from './recipe.ts';
import { duration, grouped, note } from './terminal.ts';
import { type Corpus, corpusOfFiles, type Prepared, prepareTraining, validCorpus } from './train-model.ts';

export function addTrainCommand(program: Command): void {
  const command = program
    .command('train')
    .description('Learn a model from parallel text; Ctrl-C saves, --resume goes on.')
    .requiredOption('--model <folder>', 'Folder of the model to make, or to go on with.')
    .option('--preset <name>', `A recipe by name: ${Object.keys(presets).join(', ')}.`)
    .option('--config <file>', 'Options from a YAML file, one `key: value` a line; flags override it.')
    .option('--resume', 'Go on where a stopped run was.');
  addFlags(command, recipeOptions.shape);
  command.action(async (given: { model: string; preset?: string; config?: string; resume?: boolean }) => {
    const flags = flagValues(recipeOptions.shape, { ...given });
    const recipe = await resolveRecipe({ preset: given.preset, config: given.config, flags });
    const corpus = corpusOfFiles(recipe.source, recipe.target);
    await train({ recipe, folder: given.model, corpus, valid: validCorpus(recipe), resume: given.resume ?? false });
  });
}

export interface TrainCommand {
  readonly recipe: Recipe;
  readonly folder: string;
  readonly corpus: Corpus;
  readonly valid: Corpus | undefined;
  readonly resume: boolean;
}

/** Trains with a progress report; Ctrl-C stops after the step under way and says how to go on. */
export async function train({ recipe, folder, corpus, valid, resume }: TrainCommand): Promise<Outcome> {
  await checkFolder(folder, resume);
  const stop = new AbortController();
  const interrupt = () => {
    note('\nstopping after this step; the run will be saved (press Ctrl-C again to stop at once)');
    stop.abort();
    process.once('SIGINT', () => process.exit(130));
  };
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const report = new ProgressReport({ epochs: recipe.epochs, steps: recipe.steps });
  const began = performance.now();
  try {
    const trainer = await prepareTraining({
      recipe,
      folder,
      corpus,
      valid,
      onPrepared: notePrepared,
      hooks: {
        onEvent: (event) => report.event(event),
        onProgress: (progress) => report.update(progress),
        signal: stop.signal,
      },
    });
    const outcome = await trainer.run();
    noteOutcome(outcome, folder, (performance.now() - began) / 1000);
    return outcome;
  } finally {
    process.removeListener('SIGINT', interrupt);
    process.removeListener('SIGTERM', interrupt);
  }
}

/** A folder that holds a model or a run is not trained over by accident. */
async function checkFolder(folder: string, resume: boolean): Promise<void> {
  const names = await listFolder(folder);
  if (!resume && (names.includes('config.json') || names.includes('training'))) {
    throw new HeedError(folder, 'already holds a model; use --resume to go on with it, or name another folder.');
  }
  if (resume && !names.includes('training')) {
    throw new HeedError(folder, 'holds no run to resume; leave out --resume to start one.');
  }
}

function notePrepared({ report, vocabularySizes, parameters }: Prepared): void {
  note(`${grouped(report.kept)} of ${grouped(report.read)} pairs are used for training`);
  for (const line of describeDropped(report)) note(`  ${line}`);
  const { source, target } = vocabularySizes;
  const pieces = source === target ? grouped(source) : `${grouped(source)} and ${grouped(target)}`;
  note(`${pieces} pieces, ${grouped(parameters)} parameters`);
}

function noteOutcome(outcome: Outcome, folder: string, seconds: number): void {
  switch (outcome) {
    case 'interrupted':
      note(`stopped and saved; go on with the same command and --resume (model: ${folder})`);
      break;
    case 'already finished':
      note(`this run is finished; the model is in ${folder}`);
      break;
    default:
      note(`done in ${duration(seconds)}; the model is in ${folder}`);
  }
}
