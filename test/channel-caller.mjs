// A process that calls the thread of channel-worker.mjs and does not end it, for worker-channel.test.ts.

import { WorkerChannel } from '../dist/base/worker-channel.js';

const file = new URL('channel-worker.mjs', import.meta.url);
const channel = new WorkerChannel({ name: 'test thread', file });
console.log(await channel.call('sum', Float32Array.of(1, 2)));
