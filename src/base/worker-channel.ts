// A worker thread as its caller sees it: typed calls with results, progress, questions and aborts, and an orderly end. The
// thread's own side is worker-calls.ts.

import { Worker } from 'node:worker_threads';
import { receivedError, sentError } from './sent-error.ts';
import type { FromWorker, ProgressOf, Protocol, QuestionOf, ReplyOf, ToWorker } from './worker-messages.ts';

export interface WorkerChannelSetup {
  /** Names the thread in errors, such as `translation worker`. */
  readonly name: string;
  /** The thread's code, as `builtWorker` finds it. */
  readonly file: URL;
  /** What the thread finds as its `workerData`. */
  readonly workerData?: unknown;
  /** Called when the thread ends without `end` having been called; the calls under way have failed. */
  readonly onCrash?: (() => void) | undefined;
}

export interface CallOptions<C> {
  /** Aborts the call: the worker stops as soon as it can, and then the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Buffers of the input that are moved to the worker instead of copied. */
  readonly transfer?: readonly ArrayBuffer[];
  readonly onProgress?: ((progress: ProgressOf<C>) => void) | undefined;
  /** Answers what the worker asks. If it rejects, the call rejects with the same error. */
  readonly onQuestion?: ((question: QuestionOf<C>) => Promise<ReplyOf<C>>) | undefined;
}

interface PendingCall {
  readonly options: CallOptions<unknown>;
  /** Why the call is bound to fail, whatever error the worker reports. */
  failure: { readonly error: unknown } | undefined;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/** While no call is under way, the thread does not keep the process alive. */
export class WorkerChannel<P extends Protocol<P>> {
  private readonly worker: Worker;
  private readonly pending = new Map<number, PendingCall>();
  private nextId = 0;
  /** `ending`: takes no more calls. */
  private state: 'open' | 'ending' | 'ended' = 'open';
  private onIdle: (() => void) | undefined;
  /** What ended the thread. */
  private uncaught: Error | undefined;

  constructor(private readonly setup: WorkerChannelSetup) {
    this.worker = new Worker(setup.file, { workerData: setup.workerData });
    this.worker.unref();
    this.worker.on('message', (message: FromWorker) => this.receive(message));
    // The thread's exit follows, and fails the calls under way.
    this.worker.on('error', (error) => {
      this.uncaught = error;
    });
    this.worker.on('exit', () => this.handleExit());
  }

  /** Whether no call is under way. */
  get isIdle(): boolean {
    return this.pending.size === 0;
  }

  /** Rejects with the worker's error: a HeedError stays one, anything else comes as an Error whose message is its stack. */
  async call<Name extends keyof P & string>(
    name: Name,
    input: P[Name]['input'],
    options: CallOptions<P[Name]> = {},
  ): Promise<P[Name]['output']> {
    if (this.state !== 'open') throw new Error(`the ${this.setup.name} has ended`);
    const { signal, transfer } = options;
    signal?.throwIfAborted();
    const id = this.nextId++;
    // What cannot be sent is refused here, before anybody waits for an answer.
    this.send({ kind: 'call', id, name, input }, transfer);
    if (this.isIdle) this.worker.ref();
    const abort = () => this.abort(id, signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      return await new Promise((resolve, reject) => {
        this.pending.set(id, { options: options as CallOptions<unknown>, failure: undefined, resolve, reject });
      });
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /**
   * Aborts the calls under way, waits until the worker has answered them, and then ends the thread: if a thread ended
   * while the engine computes in it, the process would abort.
   */
  async end(): Promise<void> {
    if (this.state === 'open') this.state = 'ending';
    for (const id of this.pending.keys()) this.abort(id, new Error(`the ${this.setup.name} was ended`));
    if (!this.isIdle)
      await new Promise<void>((resolve) => {
        this.onIdle = resolve;
      });
    await this.worker.terminate();
  }

  private send(message: ToWorker, transfer: readonly ArrayBuffer[] = []): void {
    this.worker.postMessage(message, [...transfer]);
  }

  private abort(id: number, error: unknown): void {
    const call = this.pending.get(id);
    if (call === undefined) return;
    call.failure ??= { error };
    this.send({ kind: 'abort', id });
  }

  private receive(message: FromWorker): void {
    const call = this.pending.get(message.id);
    // A call that has failed because the thread crashed.
    if (call === undefined) return;
    switch (message.kind) {
      case 'result':
        this.settle(message.id, () => call.resolve(message.output));
        break;
      case 'error':
        this.settle(message.id, () => call.reject(call.failure ? call.failure.error : receivedError(message.error)));
        break;
      case 'progress':
        // The protocol says what each kind of call reports.
        call.options.onProgress?.(message.progress as never);
        break;
      case 'question':
        void this.answer(message, call);
    }
  }

  private async answer({ question, content }: Extract<FromWorker, { kind: 'question' }>, call: PendingCall) {
    const { onQuestion } = call.options;
    try {
      if (onQuestion === undefined)
        throw new Error(`the ${this.setup.name} asks a question; the call needs onQuestion`);
      this.send({ kind: 'reply', question, reply: await onQuestion(content as never) });
    } catch (error) {
      call.failure ??= { error };
      this.send({ kind: 'refusal', question, error: sentError(error) });
    }
  }

  private settle(id: number, answer: () => void): void {
    this.pending.delete(id);
    answer();
    if (!this.isIdle) return;
    this.worker.unref();
    this.onIdle?.();
  }

  private handleExit(): void {
    const isCrash = this.state === 'open';
    this.state = 'ended';
    const error = this.uncaught ?? new Error(`the ${this.setup.name} ended unexpectedly`);
    for (const [id, { reject }] of this.pending) this.settle(id, () => reject(error));
    if (isCrash) this.setup.onCrash?.();
  }
}
