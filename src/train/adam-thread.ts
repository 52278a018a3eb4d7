// Adam's helper in a worker thread. Gradients are transferred without copying; the moments are in shared memory; the values are
// copied both ways, since the engine does not read shared memory.

import { builtWorker } from '../base/built-worker.ts';
import { WorkerChannel } from '../base/worker-channel.ts';
import type { AdamHelper, AdamShare } from './adam.ts';
import type { AdamStep } from './adam-rule.ts';

export interface AdamProtocol {
  readonly update: { readonly input: AdamUpdate; readonly output: undefined };
}

export interface AdamUpdate {
  /** Transferred to the thread. */
  readonly gradients: readonly Float32Array[];
  readonly step: AdamStep;
}

export function startAdamThread(share: AdamShare): AdamHelper {
  return new AdamThread(share);
}

class AdamThread implements AdamHelper {
  private readonly values: Float32Array;
  private readonly worker: WorkerChannel<AdamProtocol>;

  constructor(private readonly share: AdamShare) {
    this.values = new Float32Array(new SharedArrayBuffer(share.values.byteLength));
    const workerData: AdamShare = { ...share, values: this.values };
    this.worker = new WorkerChannel({ name: 'Adam thread', file: builtWorker('train/adam-worker.js'), workerData });
  }

  async update(gradients: readonly Float32Array[], step: AdamStep): Promise<void> {
    this.values.set(this.share.values);
    const transfer = gradients.map(({ buffer }) => buffer as ArrayBuffer);
    await this.worker.call('update', { gradients, step }, { transfer });
    this.share.values.set(this.values);
  }

  release(): Promise<void> {
    return this.worker.end();
  }
}
