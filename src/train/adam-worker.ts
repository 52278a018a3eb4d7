// What runs in the thread that helps Adam: its share of one update after the other.

import { parentPort, workerData } from 'node:worker_threads';
import type { AdamShare } from './adam.ts';
import { applyAdam } from './adam-rule.ts';
import type { AdamTask } from './adam-thread.ts';

const { values, first, second }: AdamShare = workerData;

parentPort?.on('message', ({ gradients, step }: AdamTask) => {
  let start = 0;
  for (const gradient of gradients) {
    const end = start + gradient.length;
    const [ownValues, ownFirst, ownSecond] = [values, first, second].map((array) => array.subarray(start, end));
    applyAdam({ values: ownValues, gradient, first: ownFirst, second: ownSecond }, step);
    start = end;
  }
  parentPort?.postMessage('done');
});
