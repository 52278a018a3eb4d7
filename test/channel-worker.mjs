// The worker thread of worker-channel.test.ts, over the built code in dist/.

import { setTimeout as delay } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { HeedError } from '../dist/base/error.js';
import { answerCalls } from '../dist/base/worker-calls.js';

answerCalls({
  setup: () => workerData,
  fail: (kind) => {
    throw kind === 'HeedError' ? new HeedError('place', 'must be kept.') : new TypeError('a bug');
  },
  sum: (numbers) => numbers.reduce((total, number) => total + number, 0),
  zeros: (length, { transfer }) => {
    const output = new Uint8Array(length);
    transfer(output.buffer);
    return output;
  },
  unsendable: () => () => {},
  count: (end, { report }) => {
    for (let i = 1; i <= end; i++) report(i);
  },
  double: async (name, { ask }) => 2 * (await ask(name)),
  wait: async (milliseconds, { signal }) => {
    await delay(milliseconds, undefined, { signal });
    return 'waited';
  },
  // Like a run of the engine, it sees the abort only afterwards.
  step: async (_, { signal, report }) => {
    report('begun');
    await delay(200);
    report('done');
    signal.throwIfAborted();
  },
  crash: () => {
    setImmediate(() => {
      throw new RangeError('out of hand');
    });
    return new Promise(() => {});
  },
  exit: () => process.exit(3),
});
