// heed serve: translation over HTTP, until a signal stops it.

import type { Command } from 'commander';
import { HeedError } from '../../base/error.ts';
import { parseOptions } from '../../base/options.ts';
import { parseModels, parseRuns, type ServeOptions, serveOptions } from '../../serve/index.ts';
import { bundledDefault, modelsOrBundled } from '../options/bundled-model.ts';
import { addFlags, flagValues } from '../options/flags.ts';
import { note } from '../print/terminal.ts';
import { version } from '../version.ts';

export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('Translate over HTTP, with the LibreTranslate API and an API of its own; /docs describes both.')
    .option(
      '--model <folder...>',
      `Folders of the models; en-de=FOLDER names the direction of one that does not say it ${bundledDefault}.`,
    )
    .option('--run <folder...>', 'Folders of training runs to show on the page while they run.')
    .option('--allow-stop', 'Allow anyone who can reach the server to ask these runs to save and stop.');
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

async function serve({ model, run = [], allowStop = false }: Served, options: ServeOptions): Promise<void> {
  if (allowStop && run.length === 0) throw new HeedError('--allow-stop', 'is about training runs; give --run too.');
  const models = model === undefined && run.length > 0 ? [] : parseModels(await modelsOrBundled(model));
  const runs = { runs: parseRuns(run), mayStop: allowStop };
  // Loaded here, so that other commands start without it.
  const { HeedServer } = await import('../../serve/node.ts');
  const server = await HeedServer.build({ models, runs, options, version, log: process.stderr });
  try {
    note(`listening on ${await server.listen(options)}`);
    await stopSignal();
    note('stopping: finishing the requests under way; a second signal stops at once');
  } finally {
    await server.stop();
  }
}

/** Waits for the first signal. The second one is not handled, so it ends the process at once. */
async function stopSignal(): Promise<void> {
  const names = ['SIGINT', 'SIGTERM'] as const;
  await new Promise<void>((resolve) => {
    const stop = () => {
      for (const name of names) process.off(name, stop);
      resolve();
    };
    for (const name of names) process.once(name, stop);
  });
}
