// heed quantize: the same model with int8 weights, a quarter of the size.

import type { Command } from 'commander';
import { HeedError } from '../../base/error.ts';
import { quantizeModel } from '../../model/index.ts';
import { listFolder, loadModel, saveModel } from '../../model/node.ts';
import { note } from '../print/terminal.ts';

export function addQuantizeCommand(program: Command): void {
  program
    .command('quantize')
    .description('Store a model with int8 weights: a quarter of the size, and faster.')
    .requiredOption('--model <folder>', 'Folder of the model.')
    .requiredOption('--output <folder>', 'Folder of the int8 model; a new one.')
    .action(async ({ model, output }: { model: string; output: string }) => {
      if ((await listFolder(output)).length > 0) {
        throw new HeedError(output, 'must be a new or empty folder, so that nothing is written over.');
      }
      const loaded = await loadModel(model);
      if (loaded.quantized !== undefined) throw new HeedError(model, 'has int8 weights already.');
      await saveModel(output, quantizeModel(loaded));
      note(`the int8 model is in ${output}`);
    });
}
