// What a pool and its worker threads say to each other. All of it is plain data.

import type { SentError } from '../base/sent-error.ts';
import type { StoredModel } from '../model/index.ts';
import type { SharedPrograms } from '../runtime/node/index.ts';
import type { GlossaryEntry } from './glossary.ts';
import type { TranslateOptions } from './options.ts';
import type { TraceOptions } from './tracer.ts';
import type { TranslatedLine, Translation } from './translation.ts';
import type { NumberedLine } from './windows.ts';

export interface WorkerSetup {
  readonly folders: readonly string[];
  readonly attentionLayer: number | undefined;
  /** What the workers have in common; undefined: nothing. */
  readonly programs: SharedPrograms | undefined;
}

/** Options as they travel: an abort is a message of its own, a glossary its entries. */
export interface SentOptions<Options extends TranslateOptions = TranslateOptions> {
  readonly options: Omit<Options, 'signal' | 'glossary'>;
  readonly glossary: readonly GlossaryEntry[] | undefined;
}

interface TranslateTask extends SentOptions {
  readonly kind: 'translate';
  readonly lines: readonly NumberedLine[];
}

export interface StreamTask extends SentOptions {
  readonly kind: 'stream';
  readonly text: string;
}

export interface TraceTask extends SentOptions<TraceOptions> {
  readonly kind: 'trace';
  readonly text: string;
  /** Most pieces of the text, and of its translation. */
  readonly maxPieces: number;
}

interface DescribeTask {
  readonly kind: 'describe';
}

export type Task = TranslateTask | StreamTask | TraceTask | DescribeTask;

/** What each kind of task ends with. */
export interface TaskResults {
  readonly translate: TranslatedLine[];
  readonly stream: Translation;
  /** The bytes of its JSON, which change threads without being copied. */
  readonly trace: Uint8Array<ArrayBuffer>;
  readonly describe: ModelFacts;
}

/** What there is to know of a model without its weights. */
export interface ModelFacts extends Pick<StoredModel, 'config' | 'generation' | 'directions'> {
  /** Number of learned values. */
  readonly parameters: number;
  /** What its matrix products compute with. */
  readonly arithmetic: 'float32' | 'int8';
}

/** To a worker: a task, once it has answered the one before; `abort` is for the task that it is at. */
export type ToWorker = Task | 'abort';

/** From a worker: what is new of a streamed text, as often as there is something; then how the task ended. */
export type FromWorker =
  | { readonly text: string }
  | { readonly result: TaskResults[Task['kind']] }
  | { readonly error: SentError };
