// Dynamic batching: requests of many clients share the workers of one model. Sentences with the same options join a batch,
// whichever requests they come from, and requests take turns. While all workers are busy requests queue up, so that batches
// grow with the load; an idle worker waits a few milliseconds for more requests.

import { isDeepStrictEqual } from 'node:util';
import type { NumberedLine, TranslatedLine, TranslateOptions } from '../../translate/index.ts';
import { LineRequest } from './line-request.ts';

/** As `TranslatorPool` has it. */
export interface BatchTranslator {
  /** Most tasks at once. */
  readonly workers: number;
  translateTogether(lines: readonly NumberedLine[], options: TranslateOptions): Promise<TranslatedLine[]>;
}

export interface SchedulerOptions {
  /** Estimated tokens of a batch. */
  readonly batchTokens: number;
  /** Milliseconds that an idle worker waits for more requests. */
  readonly batchWaitMs: number;
  /** Called for each batch that is begun. */
  readonly onBatch?: ((sentences: number) => void) | undefined;
}

/** A task that has a worker to itself. */
interface LoneTask {
  readonly start: () => Promise<void>;
}

/** Smaller batches are not worth sharing among idle workers. */
const LEAST_BATCH_TOKENS = 128;

export class Scheduler {
  private readonly queue: (LineRequest | LoneTask)[] = [];
  private running = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly translator: BatchTranslator,
    private readonly options: SchedulerOptions,
  ) {}

  /** Translates sentences, in order. Rejects with the signal's reason at once when it aborts. */
  translate(sentences: readonly string[], options: TranslateOptions, signal: AbortSignal): Promise<TranslatedLine[]> {
    if (sentences.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const request = new LineRequest(sentences, options, { resolve, reject });
      const onAbort = () => request.fail(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      request.onSettled(() => {
        signal.removeEventListener('abort', onAbort);
        this.remove(request);
      });
      this.enqueue(request);
    });
  }

  /**
   * Runs a task that has a worker to itself, such as a stream, when its turn comes, unless the signal has aborted by
   * then.
   */
  alone<R>(work: () => Promise<R>, signal: AbortSignal): Promise<R> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const onAbort = () => {
        this.remove(task);
        reject(signal.reason);
      };
      const start = async () => {
        signal.removeEventListener('abort', onAbort);
        await work().then(resolve, reject);
      };
      const task = { start };
      signal.addEventListener('abort', onAbort, { once: true });
      this.enqueue(task);
    });
  }

  private enqueue(request: LineRequest | LoneTask): void {
    this.queue.push(request);
    this.timer ??= setTimeout(() => this.fill(), this.options.batchWaitMs);
  }

  private remove(request: LineRequest | LoneTask): void {
    const place = this.queue.indexOf(request);
    if (place >= 0) this.queue.splice(place, 1);
  }

  private fill(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.running < this.translator.workers && this.queue.length > 0) void this.startNext();
  }

  private async startNext(): Promise<void> {
    const [first] = this.queue;
    this.running++;
    if (first instanceof LineRequest) await this.runBatch(this.gather(first));
    else {
      this.queue.shift();
      await first.start();
    }
    this.running--;
    this.fill();
  }

  /** The next sentences of the first request and of those that can join it, in turn, until the batch is full. */
  private gather(first: LineRequest): Batch {
    const requests = this.queue.filter((other): other is LineRequest => other instanceof LineRequest);
    const mates = requests.filter((other) => other === first || canJoin(first, other));
    const batch: Batch = new Map();
    const budget = this.budget(mates);
    for (let tokens = 0, turn = mates; tokens < budget && turn.length > 0; ) {
      for (const request of turn) {
        const place = request.take();
        tokens += request.tokensAt(place);
        batch.set(request, [...(batch.get(request) ?? []), place]);
        if (tokens >= budget) break;
      }
      turn = turn.filter((request) => request.hasMore);
    }
    // A request with more sentences goes to the end of the queue.
    for (const request of batch.keys()) {
      this.remove(request);
      if (request.hasMore) this.queue.push(request);
    }
    return batch;
  }

  /** A full batch, or less if idle workers can share the waiting sentences. */
  private budget(mates: readonly LineRequest[]): number {
    const waiting = mates.reduce((sum, request) => sum + request.waitingTokens, 0);
    const share = Math.ceil(waiting / (this.translator.workers - this.running + 1));
    return Math.min(this.options.batchTokens, Math.max(share, LEAST_BATCH_TOKENS));
  }

  private async runBatch(batch: Batch): Promise<void> {
    const requests = [...batch.keys()];
    const parts = [...batch].flatMap(([request, places]) => places.map((place) => ({ request, place })));
    const stop = new AbortController();
    const stopIfUnwanted = () => {
      if (requests.every(({ isSettled }) => isSettled)) stop.abort();
    };
    for (const request of requests) request.onSettled(stopIfUnwanted);
    this.options.onBatch?.(parts.length);
    try {
      const lines = parts.map(({ request, place }) => ({ source: request.sentences[place], number: place }));
      const translated = await this.translator.translateTogether(lines, {
        ...requests[0].options,
        signal: stop.signal,
      });
      for (const [i, { request, place }] of parts.entries()) request.give(place, translated[i]);
    } catch (error) {
      this.blame(batch, error);
    }
  }

  /**
   * Fails the request of a batch that has only one. Of several, each is tried again alone, so that only the faulty one
   * fails.
   */
  private blame(batch: Batch, error: unknown): void {
    for (const [request, places] of batch) {
      if (batch.size === 1) request.fail(error);
      else if (!request.isSettled) {
        this.remove(request);
        request.putBack(places);
        this.queue.push(request);
      }
    }
  }
}

/** Of each request, the places of the sentences that are in the batch. */
type Batch = Map<LineRequest, number[]>;

function canJoin(first: LineRequest, other: LineRequest): boolean {
  return !first.isAlone && !other.isAlone && isDeepStrictEqual(first.options, other.options);
}
