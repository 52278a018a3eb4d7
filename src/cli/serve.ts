// heed serve: translation over HTTP, until it is told to stop.

import type { Command } from 'commander';
import { HeedError } from '../base/error.ts';
import { parseOptions } from '../base/options.ts';
import { HeedServer, parseModels, parseRuns, type ServeOptions, serveOptions } from '../serve/index.ts';
import { addFlags, flagValues } from './flags.ts';
import { note } from './terminal.ts';
import { version } from './version.ts';

export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('Translate over HTTP, with the interface of LibreTranslate and one of its own; /docs describes both.')
    .option(
      '--model <folder...>',
      'Folders of the models; en-de=FOLDER names the direction of one that does not say it.',
    )
    .option('--run <folder...>', 'Folders of training runs to show on the page, as they go on.')
    .option('--allow-stop', 'Whoever reaches the server may ask these runs to save and stop.');
  addFlags(command, serveOptions.shape);
  command.action(async (given: Served) => {
    await serve(given, parseOptions(serveOptions, flagValues(serveOptions.shape, { ...given }), 'serve'));
  });
}

interface Served {
  readonly model?: readonly string[];
  readonly run?: readonly string[];
  readonly allowStop?: boolean;
}

async function serve({ model = [], run = [], allowStop = false }: Served, options: ServeOptions): Promise<void> {
  if (allowStop && run.length === 0) throw new HeedError('--allow-stop', 'is about training runs; give --run too.');
  const models = model.length === 0 && run.length > 0 ? [] : parseModels(model);
  const runs = { runs: parseRuns(run), mayStop: allowStop };
  const server = await HeedServer.build({ models, runs, options, version, log: process.stderr });
  const stopped = stopOnSignal(server);
  note(`listening on ${await server.listen(options)}`);
  await stopped;
}

/** The first signal lets the server finish what it took in, the second one ends it at once. */
function stopOnSignal(server: HeedServer): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.off(signal, stop).once(signal, () => process.exit(1));
      note('stopping: finishing what was taken; once more stops at once');
      server.stop().then(resolve, reject);
    };
    process.once('SIGINT', stop).once('SIGTERM', stop);
  });
}
