// heed average: one model from several checkpoints of a run.

import type { Command } from 'commander';
import { saveModel } from '../../model/node.ts';
import { averageCheckpoints } from '../../tasks/index.ts';
import { note } from '../print/terminal.ts';

export function addAverageCommand(program: Command): void {
  program
    .command('average')
    .description('Average the weights of checkpoints: model folders, or training/step-*.safetensors of one.')
    .requiredOption('--output <folder>', 'Folder of the averaged model.')
    .argument('<checkpoint...>', 'Model folders or checkpoint files.')
    .action(async (checkpoints: string[], { output }: { output: string }) => {
      await saveModel(output, await averageCheckpoints(checkpoints));
      note(`averaged ${checkpoints.length} checkpoints into ${output}`);
    });
}
