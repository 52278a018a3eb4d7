// Several sentences at once: copies of a translator in worker threads, one engine thread each. For most models that beats
// more threads within one product (docs/log.md), and the caller's own thread stays free.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { HeedError } from '../base/error.ts';
import type { TranslateOptions } from './options.ts';
import type { Answer, Job, WorkerSetup } from './pool-worker.ts';
import type { TranslatedLine } from './translation.ts';
import { type NumberedLine, numbered, throughWindows } from './windows.ts';

export interface PoolSetup {
  /** Most workers; default: one for each core. They start as work comes. */
  readonly workers?: number | undefined;
  /** Decoder layer, from 0, whose cross-attention is recorded when asked for; default: the last but one. */
  readonly attentionLayer?: number | undefined;
}

/** Threads run built code, also where this file is run from its source, as tests do. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/translate/pool-worker.js' : './pool-worker.js',
  import.meta.url,
);

/** Jobs of a window for each worker: enough that none is idle for long at its end. */
const JOBS_PER_WORKER = 4;

export class TranslatorPool {
  private readonly workers: PoolWorker[] = [];
  private readonly waiting: PendingJob[] = [];
  private readonly most: number;

  /** @param folders of a model, or of several as an ensemble; they are loaded, and refused, when the first job comes */
  constructor(
    private readonly folders: readonly string[],
    private readonly setup: PoolSetup = {},
  ) {
    this.most = setup.workers ?? availableParallelism();
  }

  /** All that decoding says of each line, in order. */
  translateAll(lines: readonly string[], options: TranslateOptions = {}): Promise<TranslatedLine[]> {
    return this.translateNumbered(numbered(lines, options.firstLine ?? 0), options);
  }

  /** Line i of the output belongs to line i of the input; reads no more than a window ahead. */
  translateLines(
    lines: AsyncIterable<string> | Iterable<string>,
    options: TranslateOptions = {},
  ): AsyncGenerator<TranslatedLine> {
    return throughWindows(lines, options, (window) => this.translateNumbered(window, options));
  }

  private async translateNumbered(
    lines: readonly NumberedLine[],
    options: TranslateOptions,
  ): Promise<TranslatedLine[]> {
    const results = new Array<TranslatedLine>(lines.length);
    // Lines of like length share a job, the longest first.
    const lengthAt = (place: number) => lines[place].source.length;
    const order = lines.map((_, place) => place).sort((a, b) => lengthAt(b) - lengthAt(a) || a - b);
    const size = Math.max(1, Math.ceil(lines.length / (this.most * JOBS_PER_WORKER)));
    const jobs = Array.from({ length: Math.ceil(lines.length / size) }, async (_, job) => {
      const places = order.slice(job * size, (job + 1) * size);
      const translated = await this.run(
        places.map((place) => lines[place]),
        options,
      );
      for (const [i, place] of places.entries()) results[place] = translated[i];
    });
    await Promise.all(jobs);
    return results;
  }

  /** Ends the workers; jobs under way fail. */
  async release(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.end()));
  }

  private run(lines: readonly NumberedLine[], options: TranslateOptions): Promise<TranslatedLine[]> {
    options.signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      this.waiting.push({ lines, options, resolve, reject });
      this.dispatch();
    });
  }

  /** Gives waiting jobs to idle workers. Who has stopped waiting for a job is told so, and the job is not begun. */
  private dispatch(): void {
    for (let job = this.waiting.at(0); job !== undefined; job = this.waiting.at(0)) {
      const { signal } = job.options;
      const worker = signal?.aborted ? undefined : this.idleWorker();
      if (worker !== undefined) worker.do(job);
      else if (signal?.aborted) job.reject(signal.reason);
      else return;
      this.waiting.shift();
    }
  }

  /** A worker without a job; a new one while there are too few. */
  private idleWorker(): PoolWorker | undefined {
    const idle = this.workers.find(({ isIdle }) => isIdle);
    if (idle !== undefined || this.workers.length >= this.most) return idle;
    const { attentionLayer } = this.setup;
    const worker = new PoolWorker(
      { folders: this.folders, attentionLayer },
      {
        onIdle: () => this.dispatch(),
        // A worker that died is not replaced before there is work for another.
        onEnd: () => {
          const place = this.workers.indexOf(worker);
          if (place >= 0) this.workers.splice(place, 1);
          this.dispatch();
        },
      },
    );
    this.workers.push(worker);
    return worker;
  }
}

interface PendingJob {
  readonly lines: readonly NumberedLine[];
  readonly options: TranslateOptions;
  resolve(lines: TranslatedLine[]): void;
  reject(error: unknown): void;
}

/** One thread with a translator of its own, doing one job at a time. */
class PoolWorker {
  private readonly thread: Worker;
  private job: PendingJob | undefined;
  private readonly abort = () => this.thread.postMessage('abort');

  constructor(
    setup: WorkerSetup,
    private readonly events: { onIdle: () => void; onEnd: () => void },
  ) {
    this.thread = new Worker(workerFile, { workerData: setup });
    this.thread.on('message', (answer: Answer) => this.settle(answer));
    this.thread.on('error', (error) => this.fail(error));
    this.thread.on('exit', () => {
      this.fail(new Error('a translation worker ended unexpectedly'));
      events.onEnd();
    });
  }

  get isIdle(): boolean {
    return this.job === undefined;
  }

  do(job: PendingJob): void {
    const { signal, glossary, ...options } = job.options;
    this.job = job;
    signal?.addEventListener('abort', this.abort);
    const message: Job = { lines: job.lines, options, glossary: glossary?.entries };
    this.thread.postMessage(message);
  }

  async end(): Promise<void> {
    await this.thread.terminate();
  }

  private settle(answer: Answer): void {
    const job = this.takeJob();
    if (job === undefined) return;
    if ('lines' in answer) job.resolve(answer.lines);
    else if (job.options.signal?.aborted) job.reject(job.options.signal.reason);
    else job.reject('place' in answer ? new HeedError(answer.place, answer.message) : new Error(answer.message));
    this.events.onIdle();
  }

  private fail(error: Error): void {
    this.takeJob()?.reject(error);
  }

  private takeJob(): PendingJob | undefined {
    const { job } = this;
    job?.options.signal?.removeEventListener('abort', this.abort);
    this.job = undefined;
    return job;
  }
}
