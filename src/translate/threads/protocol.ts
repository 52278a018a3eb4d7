// The calls from a pool to its worker threads.

import type { StoredModel } from '../../model/index.ts';
import type { SharedPrograms } from '../../runtime/node/index.ts';
import type { GlossaryEntry } from '../glossary.ts';
import type { TranslateOptions } from '../options.ts';
import type { TraceOptions } from '../trace/tracer.ts';
import type { TranslatedLine, Translation } from '../translation.ts';
import type { NumberedLine } from '../windows.ts';

export interface WorkerSetup {
  readonly folders: readonly string[];
  /** URLs of modules that are imported before the models are loaded. */
  readonly modules: readonly string[];
  readonly attentionLayer: number | undefined;
  /** Resources shared by the workers; undefined: none. */
  readonly programs: SharedPrograms | undefined;
}

/** Options in the form in which they are sent: without the signal, and a glossary as its entries. */
export interface SentOptions<Options extends TranslateOptions = TranslateOptions> {
  readonly options: Omit<Options, 'signal' | 'glossary'>;
  readonly glossary: readonly GlossaryEntry[] | undefined;
}

interface TranslateTask extends SentOptions {
  readonly lines: readonly NumberedLine[];
}

export interface StreamTask extends SentOptions {
  readonly text: string;
}

export interface TraceTask extends SentOptions<TraceOptions> {
  readonly text: string;
  /** Maximum number of pieces of the text, and of its translation. */
  readonly maxPieces: number;
}

/** A model's properties without its weights. */
export interface ModelFacts extends Pick<StoredModel, 'config' | 'generation' | 'directions'> {
  /** Number of parameters. */
  readonly parameters: number;
  /** The number format of its matrix products. */
  readonly arithmetic: 'float32' | 'int8';
}

export interface PoolProtocol {
  readonly translate: { readonly input: TranslateTask; readonly output: TranslatedLine[] };
  /** Progress messages are the new parts of the text. */
  readonly stream: { readonly input: StreamTask; readonly output: Translation; readonly progress: string };
  /** The output is JSON in UTF-8, transferred to the caller without copying. */
  readonly trace: { readonly input: TraceTask; readonly output: Uint8Array<ArrayBuffer> };
  readonly describe: { readonly input: undefined; readonly output: ModelFacts };
}
