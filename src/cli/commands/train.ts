// heed train: learns a model from text.

import type { Command } from 'commander';
import { parseOptions } from '../../base/options.ts';
import {
  defaultTask,
  pickOptions,
  type Recipe,
  readConfigFile,
  readRun,
  registeredTasks,
  requestedOptions,
  requestedRun,
  type Task,
  taskNamed,
} from '../../tasks/index.ts';
import { trainingOptions } from '../../train/index.ts';
import { addFlags, flagValues } from '../options/flags.ts';
import { addTaskFlags, taskFlagValues } from '../options/task-flags.ts';
import { pageOptions, withPage } from '../page/train-page.ts';
import { printEstimate, printEstimateAsJson } from '../print/estimate.ts';
import { trainReported } from '../train-reported.ts';

export function addTrainCommand(program: Command): void {
  const tasks = registeredTasks();
  const command = program
    .command('train')
    .description('Train a model from text; Ctrl-C saves the run, --resume continues it.')
    .requiredOption('--model <folder>', 'Folder of the model to make or to resume.')
    .option('--task <name>', `What to learn: ${tasks.map(({ name }) => name).join(', ')} (default: ${defaultTask}).`)
    .option('--preset <name>', `A recipe by name: ${presetNames(tasks).join(', ')}.`)
    .option('--config <file>', 'Options from a YAML file, one `key: value` a line; flags override it.')
    .option('--resume', 'Resume a stopped run; needs no other option than --model.')
    .option('--dry-run', 'Print size, memory and time of the run, from a few timed updates; write nothing.')
    .option('--json', 'Print the dry run as JSON.');
  addFlags(command, pageOptions.shape);
  addTaskFlags(command, tasks);
  command.action(async (flags: TrainFlags) => {
    const task = await taskOf(flags);
    const options = taskFlagValues(task, tasks, { ...flags });
    if (flags.dryRun === true) await estimate(task, flags, options);
    else await trainModel(task, flags, options);
  });
}

interface TrainFlags {
  readonly model: string;
  readonly task?: string;
  readonly preset?: string;
  readonly config?: string;
  readonly resume?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

function presetNames(tasks: readonly Task[]): string[] {
  return [...new Set(tasks.flatMap(({ presets }) => Object.keys(presets)))];
}

/** The task that the flags, the configuration file or the run to resume name. */
async function taskOf({ task, config, resume, model }: TrainFlags): Promise<Task> {
  const inFile = config === undefined ? undefined : (await readConfigFile(config)).task;
  const ofRun = resume === true ? (await readRun(model))?.task : undefined;
  return taskNamed(task ?? inFile ?? ofRun ?? defaultTask);
}

async function estimate(task: Task, { preset, config, json }: TrainFlags, options: Recipe): Promise<void> {
  const requested = await requestedOptions(task, { preset, config, options });
  const report = await task.estimate(parseOptions(task.recipe, requested, 'train'));
  await (json === true ? printEstimateAsJson(report) : printEstimate(report));
}

async function trainModel(task: Task, flags: TrainFlags, options: Recipe): Promise<void> {
  const { model, preset, config, resume } = flags;
  const page = parseOptions(pageOptions, flagValues(pageOptions.shape, { ...flags }), 'train');
  const run = await requestedRun({ ...options, model, task: task.name, preset, config, resume });
  await withPage(model, page, () => trainReported(run, pickOptions(trainingOptions, run.recipe)));
}
