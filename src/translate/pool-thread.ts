// One worker thread as the pool sees it: it does one task at a time, and may end at any moment.

import { Worker } from 'node:worker_threads';
import { builtWorker } from '../base/built-worker.ts';
import { receivedError } from '../base/sent-error.ts';
import type { FromWorker, Task, TaskResults, WorkerSetup } from './pool-messages.ts';

const workerFile = builtWorker('translate/pool-worker.js');

/** A task and who waits for it. */
export interface PendingTask {
  readonly task: Task;
  readonly signal: AbortSignal | undefined;
  /** Hears what is new of a streamed text. */
  readonly onText: ((text: string) => void) | undefined;
  resolve(result: TaskResults[Task['kind']]): void;
  reject(error: unknown): void;
}

export class PoolThread {
  private readonly worker: Worker;
  private pending: PendingTask | undefined;
  private onTaken: (() => void) | undefined;
  private readonly abort = () => this.worker.postMessage('abort');

  constructor(
    setup: WorkerSetup,
    private readonly events: { readonly onIdle: () => void; readonly onEnd: () => void },
  ) {
    this.worker = new Worker(workerFile, { workerData: setup });
    this.worker.on('message', (message: FromWorker) => this.hear(message));
    this.worker.on('error', (error) => this.take()?.reject(error));
    this.worker.on('exit', () => {
      this.take()?.reject(new Error('a translation worker ended unexpectedly'));
      events.onEnd();
    });
  }

  get isIdle(): boolean {
    return this.pending === undefined;
  }

  do(pending: PendingTask): void {
    this.pending = pending;
    pending.signal?.addEventListener('abort', this.abort);
    this.worker.postMessage(pending.task);
  }

  /** Stops the task at its next step, and then the thread: if that went while the engine computes, the process would abort. */
  async end(): Promise<void> {
    if (!this.isIdle) {
      const over = new Promise<void>((resolve) => {
        this.onTaken = resolve;
      });
      this.abort();
      await over;
    }
    await this.worker.terminate();
  }

  private hear(message: FromWorker): void {
    if ('text' in message) {
      this.pending?.onText?.(message.text);
      return;
    }
    const pending = this.take();
    if (pending === undefined) return;
    if ('result' in message) pending.resolve(message.result);
    else if (pending.signal?.aborted) pending.reject(pending.signal.reason);
    else pending.reject(receivedError(message.error));
    this.events.onIdle();
  }

  private take(): PendingTask | undefined {
    const { pending } = this;
    pending?.signal?.removeEventListener('abort', this.abort);
    this.pending = undefined;
    this.onTaken?.();
    return pending;
  }
}
