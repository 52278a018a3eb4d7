// The page of a run, in a thread of the training process: the engine keeps the main thread busy for whole steps. It knows
// the run by its files alone, as heed serve --run does.

import { parentPort, workerData } from 'node:worker_threads';
import { serveOptions } from '../../serve/index.ts';
import { HeedServer } from '../../serve/node.ts';
import { version } from '../version.ts';
import type { PageSetup, PageState } from './train-page.ts';

const { name, folder, port }: PageSetup = workerData;
const options = serveOptions.parse({ port });
const runs = { runs: [{ name, folder }], mayStop: true };

function send(state: PageState): void {
  parentPort?.postMessage(state);
}

const server = await HeedServer.build({ models: [], options, runs, version, log: process.stderr });
try {
  send({ address: await server.listen(options) });
} catch (error) {
  send({ failure: error instanceof Error ? error.message : String(error) });
}

parentPort?.once('message', async () => {
  await server.stop();
  parentPort?.close();
});
