// A worker thread's own side of a channel (worker-channel.ts): it answers calls, as many at once as its caller makes.

import { type MessagePort, parentPort } from 'node:worker_threads';
import { receivedError, sentError } from './sent-error.ts';
import type { FromWorker, ProgressOf, Protocol, QuestionOf, ReplyOf, ToWorker } from './worker-messages.ts';

/** What a handler can do besides returning its output. */
export interface CallContext<C> {
  /** Aborts when the caller no longer wants the output. */
  readonly signal: AbortSignal;
  report(progress: ProgressOf<C>): void;
  /** Rejects when the caller cannot answer, or aborts. */
  ask(question: QuestionOf<C>): Promise<ReplyOf<C>>;
  /** Moves a buffer of the output to the caller instead of copying it. */
  transfer(buffer: ArrayBuffer): void;
}

export type Handlers<P extends Protocol<P>> = {
  readonly [Name in keyof P]: (
    input: P[Name]['input'],
    context: CallContext<P[Name]>,
  ) => P[Name]['output'] | Promise<P[Name]['output']>;
};

/**
 * Answers all calls from now on. What a handler throws is the error of its call.
 * @throws Error outside of a worker thread
 */
export function answerCalls<P extends Protocol<P>>(handlers: Handlers<P>): void {
  if (parentPort === null) throw new Error('answerCalls: must run in a worker thread; start it by a WorkerChannel.');
  const answerer = new Answerer<P>(parentPort, handlers);
  parentPort.on('message', (message: ToWorker) => answerer.receive(message));
}

interface OpenQuestion {
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: unknown) => void;
}

class Answerer<P extends Protocol<P>> {
  private readonly aborts = new Map<number, AbortController>();
  private readonly questions = new Map<number, OpenQuestion>();
  private nextQuestion = 0;

  constructor(
    private readonly port: MessagePort,
    private readonly handlers: Handlers<P>,
  ) {}

  receive(message: ToWorker): void {
    switch (message.kind) {
      case 'call':
        void this.answer(message);
        break;
      case 'abort':
        this.aborts.get(message.id)?.abort();
        break;
      case 'reply':
        this.questions.get(message.question)?.resolve(message.reply);
        break;
      case 'refusal':
        this.questions.get(message.question)?.reject(receivedError(message.error));
    }
  }

  private async answer({ id, name, input }: Extract<ToWorker, { kind: 'call' }>): Promise<void> {
    const abort = new AbortController();
    const moved: ArrayBuffer[] = [];
    this.aborts.set(id, abort);
    try {
      // The caller's channel has the same protocol, so the handler is there and takes this input.
      const output = await this.handlers[name as keyof P](input, this.context(id, abort.signal, moved));
      this.send({ kind: 'result', id, output }, moved);
    } catch (error) {
      this.send({ kind: 'error', id, error: sentError(error) });
    } finally {
      this.aborts.delete(id);
    }
  }

  private context<C>(id: number, signal: AbortSignal, moved: ArrayBuffer[]): CallContext<C> {
    return {
      signal,
      report: (progress) => this.send({ kind: 'progress', id, progress }),
      ask: (content) => this.ask(id, content, signal) as Promise<ReplyOf<C>>,
      transfer: (buffer) => moved.push(buffer),
    };
  }

  private async ask(id: number, content: unknown, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    const question = this.nextQuestion++;
    const onAbort = () => this.questions.get(question)?.reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    try {
      return await new Promise((resolve, reject) => {
        this.questions.set(question, { resolve, reject });
        this.send({ kind: 'question', id, question, content });
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.questions.delete(question);
    }
  }

  private send(message: FromWorker, moved: readonly ArrayBuffer[] = []): void {
    this.port.postMessage(message, [...moved]);
  }
}
