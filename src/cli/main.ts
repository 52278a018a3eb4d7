#!/usr/bin/env node
// The command line: one file a command. Errors that the user can fix are printed as one line, with exit code 1.

import { Command } from 'commander';
import { isHeedError } from '../base/error.ts';
import { addAverageCommand } from './commands/average.ts';
import { addDataCommand } from './commands/data-check.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addEvaluateCommand } from './commands/evaluate.ts';
import { addGenerateCommand } from './commands/generate.ts';
import { addInspectCommand } from './commands/inspect.ts';
import { addQuantizeCommand } from './commands/quantize.ts';
import { addScoreCommand } from './commands/score.ts';
import { addServeCommand } from './commands/serve.ts';
import { addTrainCommand } from './commands/train.ts';
import { addTranslateCommand } from './commands/translate.ts';
import { note } from './print/terminal.ts';
import { version } from './version.ts';

const program = new Command('heed')
  .description('The Transformer of "Attention Is All You Need": train, translate, score and look inside.')
  .version(version)
  .showSuggestionAfterError()
  .configureHelp({ sortSubcommands: false });

addTrainCommand(program);
addTranslateCommand(program);
addGenerateCommand(program);
addScoreCommand(program);
addInspectCommand(program);
addServeCommand(program);
addEvaluateCommand(program);
addDataCommand(program);
addAverageCommand(program);
addQuantizeCommand(program);
addDemoCommand(program);

// A reader that closes the pipe early, such as `head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  if (!isHeedError(error)) throw error;
  note(`error: ${error.message}`);
  process.exitCode = 1;
}
