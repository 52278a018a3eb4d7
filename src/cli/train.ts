// heed train: learns a model from parallel text.

import { constants } from 'node:os';
import type { Command } from 'commander';
import { HeedError } from '../base/error.ts';
import { parseOptions } from '../base/options.ts';
import { describeDropped } from '../data/index.ts';
import { fileNames } from '../model/index.ts';
import { listFolder, readFileIfAny } from '../model/node.ts';
import { type Outcome, runFiles } from '../train/index.ts';
import { type Corpus, trainingCorpora, validCorpus } from './corpora.ts';
import { dryRun, printDryRun } from './dry-run.ts';
import { addFlags, flagValues } from './flags.ts';
import { ProgressReport } from './progress.ts';
import { flagOptions, givenOptions, presets, type Recipe, recipeOptions } from './recipe.ts';
import { type Run, readRun, resumedRecipe } from './run-file.ts';
import { announced, noteSpeed } from './run-process.ts';
import { duration, grouped, note, print } from './terminal.ts';
import { type Prepared, prepareTraining } from './train-model.ts';
import { pageOptions, withPage } from './train-page.ts';

export function addTrainCommand(program: Command): void {
  const command = program
    .command('train')
    .description('Learn a model from parallel text; Ctrl-C saves, --resume goes on.')
    .requiredOption('--model <folder>', 'Folder of the model to make, or to go on with.')
    .option('--preset <name>', `A recipe by name: ${Object.keys(presets).join(', ')}.`)
    .option('--config <file>', 'Options from a YAML file, one `key: value` a line; flags override it.')
    .option('--resume', 'Go on where a stopped run was; needs no more than --model.')
    .option('--dry-run', 'Print size, memory and time of the run, from a few timed updates; write nothing.')
    .option('--json', 'Print the dry run as JSON.');
  addFlags(command, { ...pageOptions.shape, ...flagOptions.shape });
  command.action(async (given: TrainFlags) => {
    const options = await givenOptions({ ...given, flags: flagValues(flagOptions.shape, { ...given }) });
    if (given.dryRun === true) {
      const recipe = parseOptions(recipeOptions, options, 'train');
      const report = await dryRun(recipe, trainingCorpora(recipe), validCorpus(recipe) !== undefined);
      await (given.json === true ? print(JSON.stringify(report)) : printDryRun(report));
      return;
    }
    const resumed = given.resume === true ? await runToResume(given.model) : undefined;
    if (resumed === undefined) await checkUnused(given.model);
    const recipe =
      resumed === undefined ? parseOptions(recipeOptions, options, 'train') : resumedRecipe(resumed.recipe, options);
    const page = parseOptions(pageOptions, flagValues(pageOptions.shape, { ...given }), 'train');
    const run = { recipe, folder: given.model, corpora: trainingCorpora(recipe), valid: validCorpus(recipe), resumed };
    await withPage(given.model, page, () => train(run));
  });
}

interface TrainFlags {
  readonly model: string;
  readonly preset?: string;
  readonly config?: string;
  readonly resume?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export interface TrainCommand {
  readonly recipe: Recipe;
  readonly folder: string;
  readonly corpora: readonly Corpus[];
  readonly valid: Corpus | undefined;
  /** The run to go on with; default: a new one begins. */
  readonly resumed?: Run | undefined;
}

/** Trains with a progress report; Ctrl-C stops after the batch under way and says how to go on. */
export async function train({ recipe, folder, corpora, valid, resumed }: TrainCommand): Promise<Outcome> {
  const report = new ProgressReport({ epochs: recipe.epochs, steps: recipe.steps });
  const began = performance.now();
  const stop = new AbortController();
  const trainer = await prepareTraining({
    recipe,
    folder,
    corpora,
    valid,
    resumed,
    onPrepared: notePrepared,
    hooks: {
      onEvent: (event) => {
        report.event(event);
        if (event.kind === 'step') noteSpeed(folder, event.step, report.tokensPerSecond());
      },
      onProgress: (progress) => report.update(progress),
      signal: stop.signal,
    },
  });
  const outcome = await withInterrupts(stop, (askToStop) => announced(folder, askToStop, () => trainer.run()));
  noteOutcome(outcome, folder, (performance.now() - began) / 1000);
  return outcome;
}

/**
 * The first Ctrl-C or SIGTERM asks to stop, the second one stops. Both end the process as they always do before the run
 * begins: until then there is nothing to save, and learning a tokenizer would keep a handler waiting.
 * @param run is given a function that asks to stop as Ctrl-C does
 */
async function withInterrupts(
  stop: AbortController,
  run: (askToStop: () => void) => Promise<Outcome>,
): Promise<Outcome> {
  const ask = (advice: string, signalNumber: number) => {
    note(`\nstopping after this batch; the run will be saved${advice}`);
    stop.abort();
    process.exitCode = 128 + signalNumber;
  };
  const interrupt = (_: NodeJS.Signals, number: number) => {
    if (stop.signal.aborted) process.exit(128 + number);
    ask(' (press Ctrl-C again to stop at once)', number);
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    return await run(() => {
      if (!stop.signal.aborted) ask(', as was asked for', constants.signals.SIGINT);
    });
  } finally {
    process.removeListener('SIGINT', interrupt);
    process.removeListener('SIGTERM', interrupt);
  }
}

async function runToResume(folder: string): Promise<Run> {
  const run = await readRun(folder);
  if (run !== undefined) return run;
  throw new HeedError(folder, 'holds no run to resume; leave out --resume to start one.');
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

function notePrepared(prepared: Prepared): void {
  for (const report of prepared.reports) {
    note(`${grouped(report.kept)} of ${grouped(report.read)} pairs are used for training`);
    for (const line of describeDropped(report)) note(`  ${line}`);
  }
  if (prepared.leftOut > 0) note(`  ${grouped(prepared.leftOut)} of them are longer than --max-tokens and left out`);
  const { source, target } = prepared.vocabularySizes;
  const pieces = source === target ? grouped(source) : `${grouped(source)} and ${grouped(target)}`;
  note(`${pieces} pieces, ${grouped(prepared.parameters)} parameters`);
  const padding = `${(100 * prepared.padding).toFixed(1)} % of the tokens are padding`;
  note(`${grouped(prepared.updatesPerEpoch)} updates an epoch, ${padding}`);
}

function noteOutcome(outcome: Outcome, folder: string, seconds: number): void {
  switch (outcome) {
    case 'interrupted':
      note(`stopped and saved; go on with: heed train --model ${folder} --resume`);
      break;
    case 'already finished':
      note(`this run is finished already; the model is in ${folder}; to go on, give more --epochs or --steps`);
      break;
    default:
      note(`done in ${duration(seconds)}; the model is in ${folder}`);
  }
}
