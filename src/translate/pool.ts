// Several sentences at once: copies of a translator in worker threads, one engine thread each. For most models that beats
// more threads within one product (docs/log.md), and the caller's own thread stays free.

import { availableParallelism } from 'node:os';
import { openSharedPrograms, removeSharedPrograms, type SharedPrograms } from '../runtime/node/index.ts';
import type { TranslateOptions } from './options.ts';
import type { ModelFacts, SentOptions, Task, TaskResults } from './pool-messages.ts';
import { type PendingTask, PoolThread } from './pool-thread.ts';
import type { TraceOptions } from './tracer.ts';
import type { TranslatedLine, Translation } from './translation.ts';
import { type NumberedLine, numbered, throughWindows } from './windows.ts';

export interface PoolSetup {
  /** Most workers; default: one for each core. They start as work comes. */
  readonly workers?: number | undefined;
  /** Decoder layer, from 0, whose cross-attention is recorded when asked for; default: the last but one. */
  readonly attentionLayer?: number | undefined;
  /** Hears of a worker that ended by itself; what it was doing has failed. */
  readonly onCrash?: (() => void) | undefined;
}

/** Tasks of a window for each worker: enough that none is idle for long at its end. */
const TASKS_PER_WORKER = 4;

export class TranslatorPool {
  /** Most tasks that are under way at once. */
  readonly workers: number;
  private readonly threads: PoolThread[] = [];
  private readonly waiting: PendingTask[] = [];
  /** What the workers have in common, if there may be several. */
  private programs: SharedPrograms | undefined;

  /** @param folders of a model, or of several as an ensemble; they are loaded, and refused, when the first task comes */
  constructor(
    private readonly folders: readonly string[],
    private readonly setup: PoolSetup = {},
  ) {
    this.workers = setup.workers ?? availableParallelism();
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

  /** All lines by one worker, as one task. */
  translateTogether(lines: readonly NumberedLine[], options: TranslateOptions = {}): Promise<TranslatedLine[]> {
    return this.run({ kind: 'translate', lines, ...sent(options) }, { signal: options.signal });
  }

  /** `Translator.stream` in a worker: `onText` hears what is new of the text; all of it together is the result's text. */
  stream(text: string, options: TranslateOptions, onText: (text: string) => void): Promise<Translation> {
    return this.run({ kind: 'stream', text, ...sent(options) }, { signal: options.signal, onText });
  }

  /** The JSON of `Translator.trace`, in UTF-8. @throws HeedError for more than `maxPieces` in the text or its translation */
  traceJson(text: string, options: TraceOptions, maxPieces: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.run({ kind: 'trace', text, maxPieces, ...sent(options) }, { signal: options.signal });
  }

  /** Loads the model, if no worker has yet, and says what it is; of an ensemble the first. @throws HeedError if it cannot */
  describe(): Promise<ModelFacts> {
    return this.run({ kind: 'describe' });
  }

  /** Ends the workers; tasks under way and waiting fail. */
  async release(): Promise<void> {
    for (const { reject } of this.waiting.splice(0)) reject(new Error('the pool was released'));
    await Promise.all(this.threads.splice(0).map((thread) => thread.end()));
    if (this.programs !== undefined) removeSharedPrograms(this.programs);
    this.programs = undefined;
  }

  private async translateNumbered(
    lines: readonly NumberedLine[],
    options: TranslateOptions,
  ): Promise<TranslatedLine[]> {
    const results = new Array<TranslatedLine>(lines.length);
    // Lines of like length share a task, the longest first.
    const lengthAt = (place: number) => lines[place].source.length;
    const order = lines.map((_, place) => place).sort((a, b) => lengthAt(b) - lengthAt(a) || a - b);
    const size = Math.max(1, Math.ceil(lines.length / (this.workers * TASKS_PER_WORKER)));
    const tasks = Array.from({ length: Math.ceil(lines.length / size) }, async (_, task) => {
      const places = order.slice(task * size, (task + 1) * size);
      const translated = await this.translateTogether(
        places.map((place) => lines[place]),
        options,
      );
      for (const [i, place] of places.entries()) results[place] = translated[i];
    });
    await Promise.all(tasks);
    return results;
  }

  private run<T extends Task>(
    task: T,
    { signal, onText }: Partial<Pick<PendingTask, 'signal' | 'onText'>> = {},
  ): Promise<TaskResults[T['kind']]> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      // A worker answers a task with the result of its kind.
      const settle = resolve as PendingTask['resolve'];
      this.waiting.push({ task, signal, onText, resolve: settle, reject });
      this.dispatch();
    });
  }

  /** Gives waiting tasks to idle workers. Who has stopped waiting for a task is told so, and the task is not begun. */
  private dispatch(): void {
    for (let next = this.waiting.at(0); next !== undefined; next = this.waiting.at(0)) {
      const { signal } = next;
      const thread = signal?.aborted ? undefined : this.idleThread();
      if (thread !== undefined) thread.do(next);
      else if (signal?.aborted) next.reject(signal.reason);
      else return;
      this.waiting.shift();
    }
  }

  /** A worker without a task; a new one while there are too few. */
  private idleThread(): PoolThread | undefined {
    const idle = this.threads.find(({ isIdle }) => isIdle);
    if (idle !== undefined || this.threads.length >= this.workers) return idle;
    const { attentionLayer, onCrash } = this.setup;
    if (this.workers > 1) this.programs ??= openSharedPrograms();
    const thread = new PoolThread(
      { folders: this.folders, attentionLayer, programs: this.programs },
      {
        onIdle: () => this.dispatch(),
        // A worker that died is not replaced before there is work for another.
        onEnd: () => {
          const place = this.threads.indexOf(thread);
          if (place < 0) return;
          this.threads.splice(place, 1);
          onCrash?.();
          this.dispatch();
        },
      },
    );
    this.threads.push(thread);
    return thread;
  }
}

function sent<O extends TranslateOptions>({ signal: _, glossary, ...options }: O): SentOptions<O> {
  return { options, glossary: glossary?.entries };
}
