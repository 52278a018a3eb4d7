// A pool of worker threads, each with a copy of a translator and one engine thread. For most models this is faster than
// several threads per operator (docs/log.md), and the caller's thread is not blocked.

import { availableParallelism } from 'node:os';
import { builtWorker } from '../../base/built-worker.ts';
import { HeedError } from '../../base/error.ts';
import { type CallOptions, WorkerChannel } from '../../base/worker-channel.ts';
import { openSharedPrograms, removeSharedPrograms, type SharedPrograms } from '../../runtime/node/index.ts';
import type { TranslateOptions } from '../options.ts';
import type { TraceOptions } from '../trace/tracer.ts';
import type { TranslatedLine, Translation } from '../translation.ts';
import { type NumberedLine, numbered, throughWindows } from '../windows.ts';
import type { ModelFacts, PoolProtocol, SentOptions, WorkerSetup } from './protocol.ts';

export interface PoolSetup {
  /** Maximum number of worker threads; default: one per core. They start when needed. */
  readonly workers?: number | undefined;
  /**
   * URLs of modules that each worker imports before it loads the model, so that their registrations (such as an architecture)
   * are known in the workers, too. For example `[new URL('./my-architecture.js', import.meta.url)]`; default: none.
   */
  readonly modules?: readonly (URL | string)[] | undefined;
  /** Decoder layer, from 0, whose cross-attention is recorded on request; default: the last but one. */
  readonly attentionLayer?: number | undefined;
  /** Called when a worker has exited unexpectedly; its current task has failed. */
  readonly onCrash?: (() => void) | undefined;
}

type PoolWorker = WorkerChannel<PoolProtocol>;

/** A call that waits for an idle worker. */
interface WaitingTask {
  readonly signal: AbortSignal | undefined;
  /** Makes the call; resolves when it has settled. */
  start(worker: PoolWorker): Promise<void>;
  reject(error: unknown): void;
}

const workerFile = builtWorker('translate/threads/worker.js');

/** Tasks per worker and window: enough to keep all workers busy until the end of a window. */
const TASKS_PER_WORKER = 4;

export class TranslatorPool {
  /** Maximum number of tasks under way. */
  readonly workers: number;
  private readonly started: PoolWorker[] = [];
  private readonly waiting: WaitingTask[] = [];
  private readonly modules: readonly string[];
  /** Resources shared by the workers, if there may be several. */
  private programs: SharedPrograms | undefined;

  /**
   * @param folders of a model, or of several as an ensemble; they are loaded with the first task, which fails if they are invalid
   * @throws HeedError for modules that are not named by URLs
   */
  constructor(
    private readonly folders: readonly string[],
    private readonly setup: PoolSetup = {},
  ) {
    this.workers = setup.workers ?? availableParallelism();
    this.modules = (setup.modules ?? []).map(moduleUrl);
  }

  /** Translates lines and returns every decoding result, in order. */
  translateAll(lines: readonly string[], options: TranslateOptions = {}): Promise<TranslatedLine[]> {
    return this.translateNumbered(numbered(lines, options.firstLine ?? 0), options);
  }

  /** Line i of the output is for line i of the input; reads at most one window ahead. */
  translateLines(
    lines: AsyncIterable<string> | Iterable<string>,
    options: TranslateOptions = {},
  ): AsyncGenerator<TranslatedLine> {
    return throughWindows(lines, options, (window) => this.translateNumbered(window, options));
  }

  /** All lines by one worker, as one task. */
  translateTogether(lines: readonly NumberedLine[], options: TranslateOptions = {}): Promise<TranslatedLine[]> {
    return this.run('translate', { lines, ...sent(options) }, { signal: options.signal });
  }

  /** `Translator.stream` in a worker: `onText` gets each new part of the text. */
  stream(text: string, options: TranslateOptions, onText: (text: string) => void): Promise<Translation> {
    return this.run('stream', { text, ...sent(options) }, { signal: options.signal, onProgress: onText });
  }

  /**
   * The JSON of `Translator.trace`, in UTF-8.
   * @throws HeedError for more than `maxPieces` in the text or its translation
   */
  traceJson(text: string, options: TraceOptions, maxPieces: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.run('trace', { text, maxPieces, ...sent(options) }, { signal: options.signal });
  }

  /** A model's properties; of an ensemble, the first model's. Loads it if need be. @throws HeedError if that fails */
  describe(): Promise<ModelFacts> {
    return this.run('describe', undefined);
  }

  /** Stops the workers; tasks under way and waiting fail. */
  async release(): Promise<void> {
    for (const { reject } of this.waiting.splice(0)) reject(new Error('the pool was released'));
    await Promise.all(this.started.splice(0).map((worker) => worker.end()));
    if (this.programs !== undefined) removeSharedPrograms(this.programs);
    this.programs = undefined;
  }

  private async translateNumbered(
    lines: readonly NumberedLine[],
    options: TranslateOptions,
  ): Promise<TranslatedLine[]> {
    const results = new Array<TranslatedLine>(lines.length);
    // Lines of similar length share a task, the longest first.
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

  private run<Name extends keyof PoolProtocol>(
    name: Name,
    input: PoolProtocol[Name]['input'],
    options: CallOptions<PoolProtocol[Name]> = {},
  ): Promise<PoolProtocol[Name]['output']> {
    return new Promise((resolve, reject) => {
      const start = (worker: PoolWorker) => worker.call(name, input, options).then(resolve, reject);
      this.waiting.push({ signal: options.signal, start, reject });
      this.dispatch();
    });
  }

  /** Gives waiting tasks to idle workers. A task whose signal has aborted is not started. */
  private dispatch(): void {
    for (let next = this.waiting.at(0); next !== undefined; next = this.waiting.at(0)) {
      const { signal } = next;
      const worker = signal?.aborted ? undefined : this.idleWorker();
      if (worker !== undefined) void next.start(worker).then(() => this.dispatch());
      else if (signal?.aborted) next.reject(signal.reason);
      else return;
      this.waiting.shift();
    }
  }

  /** An idle worker, or a new one if there are fewer than the maximum. */
  private idleWorker(): PoolWorker | undefined {
    const idle = this.started.find(({ isIdle }) => isIdle);
    if (idle !== undefined || this.started.length >= this.workers) return idle;
    if (this.workers > 1) this.programs ??= openSharedPrograms();
    const { folders, modules, programs } = this;
    const workerData: WorkerSetup = { folders, modules, attentionLayer: this.setup.attentionLayer, programs };
    const worker: PoolWorker = new WorkerChannel({
      name: 'translation worker',
      file: workerFile,
      workerData,
      onCrash: () => this.drop(worker),
    });
    this.started.push(worker);
    return worker;
  }

  /** A worker that crashed is replaced only when there is work for another. */
  private drop(worker: PoolWorker): void {
    this.started.splice(this.started.indexOf(worker), 1);
    this.setup.onCrash?.();
    this.dispatch();
  }
}

function sent<O extends TranslateOptions>({ signal: _, glossary, ...options }: O): SentOptions<O> {
  return { options, glossary: glossary?.entries };
}

function moduleUrl(module: URL | string): string {
  if (URL.canParse(String(module))) return String(module);
  const rule = 'modules must be URLs, such as pathToFileURL(path) or import.meta.resolve(name) gives';
  throw new HeedError('TranslatorPool', `${rule}, got ${module}.`);
}
