// Adam's helper as a thread of its own. Gradients change hands without being copied; the moments are shared; the values are
// copied to and fro, since the engine does not read shared memory.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { builtWorker } from '../base/built-worker.ts';
import type { AdamHelper, AdamShare } from './adam.ts';
import type { AdamStep } from './adam-rule.ts';

const workerFile = builtWorker('train/adam-worker.js');

/** One update, as it is sent to the thread. */
export interface AdamTask {
  readonly gradients: readonly Float32Array[];
  readonly step: AdamStep;
}

export function startAdamThread(share: AdamShare): AdamHelper {
  return new AdamThread(share);
}

class AdamThread implements AdamHelper {
  private readonly values: Float32Array;
  private readonly worker: Worker;

  constructor(private readonly share: AdamShare) {
    this.values = new Float32Array(new SharedArrayBuffer(share.values.byteLength));
    const workerData: AdamShare = { ...share, values: this.values };
    this.worker = new Worker(workerFile, { workerData });
    this.worker.unref();
  }

  async update(gradients: readonly Float32Array[], step: AdamStep): Promise<void> {
    const task: AdamTask = { gradients, step };
    this.values.set(this.share.values);
    // Only while there is something to wait for does the thread keep the process alive.
    this.worker.ref();
    const done = once(this.worker, 'message');
    this.worker.postMessage(
      task,
      gradients.map(({ buffer }) => buffer as ArrayBuffer),
    );
    await done;
    this.worker.unref();
    this.share.values.set(this.values);
  }

  async release(): Promise<void> {
    await this.worker.terminate();
  }
}
