// The thread of documents as the server sees it: many tasks at once, each answered when it is done.

import { Worker } from 'node:worker_threads';
import { builtWorker } from '../base/built-worker.ts';
import { receivedError } from '../base/sent-error.ts';
import type { TranslatedLine } from '../translate/index.ts';
import type { DetectedLanguage } from './documents/index.ts';
import type {
  DetectTask,
  DocumentResults,
  DocumentTask,
  FromDocuments,
  ToDocuments,
  TranslateTask,
  WantedSentences,
} from './documents-messages.ts';

const workerFile = builtWorker('serve/documents-worker.js');

/** Translates the sentences of a document, in order. */
export type TranslateWanted = (wanted: WantedSentences) => Promise<TranslatedLine[]>;

interface Waiting {
  readonly translate: TranslateWanted | undefined;
  resolve(result: DocumentResults[DocumentTask['kind']]): void;
  reject(error: unknown): void;
}

export class DocumentsThread {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 0;

  /** @param onCrash hears of a thread that ended by itself; what it was doing has failed */
  constructor(private readonly onCrash: () => void = () => {}) {}

  /** The sentences of a text, and what stands between them. */
  split(text: string, language: string | undefined): Promise<DocumentResults['split']> {
    return this.run({ kind: 'split', text, language });
  }

  /** Best first; at least one. */
  detect(task: Omit<DetectTask, 'kind'>): Promise<readonly DetectedLanguage[]> {
    return this.run({ kind: 'detect', ...task });
  }

  /** The document in its versions, best first. `translate` is called once at most; rejects as it does. */
  translate(
    document: Omit<TranslateTask, 'kind'> & { readonly format: 'text' | 'html' },
    translate: TranslateWanted,
  ): Promise<readonly string[]> {
    const { format, ...task } = document;
    return this.run({ kind: format, ...task }, translate);
  }

  /** Ends the thread; what it is doing fails. */
  async release(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private run<T extends DocumentTask>(task: T, translate?: TranslateWanted): Promise<DocumentResults[T['kind']]> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      // A task is answered with the result of its kind.
      this.waiting.set(id, { translate, resolve: resolve as Waiting['resolve'], reject });
      this.send({ id, task });
    });
  }

  private send(message: ToDocuments): void {
    this.worker ??= this.start();
    this.worker.postMessage(message);
  }

  private start(): Worker {
    const worker = new Worker(workerFile);
    worker.on('message', (message: FromDocuments) => this.hear(message));
    worker.on('error', (error) => this.failAll(error));
    worker.on('exit', () => {
      this.failAll(new Error('the thread of documents ended unexpectedly'));
      if (this.worker !== worker) return;
      this.worker = undefined;
      this.onCrash();
    });
    return worker;
  }

  private hear(message: FromDocuments): void {
    const task = this.waiting.get(message.id);
    if (task === undefined) return;
    if ('call' in message) {
      void this.answerCall(message, task);
      return;
    }
    this.waiting.delete(message.id);
    if ('result' in message) task.resolve(message.result);
    else task.reject(receivedError(message.error));
  }

  /** A task whose sentences cannot be translated fails for that reason, which may be the client's own. */
  private async answerCall({ id, call, wanted }: SentenceCall, task: Waiting): Promise<void> {
    try {
      this.send({ call, lines: await task.translate?.(wanted) });
    } catch (error) {
      this.waiting.delete(id);
      task.reject(error);
      this.send({ call, lines: undefined });
    }
  }

  private failAll(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

type SentenceCall = Extract<FromDocuments, { call: number }>;
