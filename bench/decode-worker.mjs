// A worker thread with one of several engines for bench/decode.mjs.

import { parentPort, workerData } from 'node:worker_threads';
import { compileShared } from '../dist/runtime/node/index.js';
import { randomModel, trainedModel } from './decode-cases.mjs';
import { ownEngine } from './decode-engines.mjs';

const { origin, setup, programs } = workerData;
const model =
  origin.folder === undefined
    ? await randomModel(origin.name, origin.options, [])
    : await trainedModel(origin.folder, []);
const engine = ownEngine(model, setup, programs && compileShared(programs));
await model.release();

// One after the other: the next job waits here while this one runs.
let last = Promise.resolve();
parentPort.on('message', ({ place, ...job }) => {
  last = last.then(async () => parentPort.postMessage({ place, answer: await engine.translate(job) }));
});
