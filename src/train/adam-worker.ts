// The code of Adam's helper thread, which computes its share of each update.

import { workerData } from 'node:worker_threads';
import { answerCalls } from '../base/worker-calls.ts';
import type { AdamShare } from './adam.ts';
import { applyAdam } from './adam-rule.ts';
import type { AdamProtocol, AdamUpdate } from './adam-thread.ts';

const { values, first, second }: AdamShare = workerData;

answerCalls<AdamProtocol>({ update });

function update({ gradients, step }: AdamUpdate): undefined {
  let start = 0;
  for (const gradient of gradients) {
    const end = start + gradient.length;
    const [ownValues, ownFirst, ownSecond] = [values, first, second].map((array) => array.subarray(start, end));
    applyAdam({ values: ownValues, gradient, first: ownFirst, second: ownSecond }, step);
    start = end;
  }
}
