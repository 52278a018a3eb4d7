// What runs in a worker thread of the pool: a translator that does one job after the other.

import { parentPort, workerData } from 'node:worker_threads';
import { isHeedError } from '../base/error.ts';
import { Glossary, type GlossaryEntry } from './glossary.ts';
import type { TranslateOptions } from './options.ts';
import type { TranslatedLine } from './translation.ts';
import { Translator } from './translator.ts';
import type { NumberedLine } from './windows.ts';

export interface WorkerSetup {
  readonly folders: readonly string[];
  readonly attentionLayer: number | undefined;
}

/** Lines to translate; what has methods travels as plain data, and `abort` is a message of its own. */
export interface Job {
  readonly lines: readonly NumberedLine[];
  readonly options: Omit<TranslateOptions, 'signal' | 'glossary'>;
  readonly glossary: readonly GlossaryEntry[] | undefined;
}

export type Answer =
  | { readonly lines: TranslatedLine[] }
  | { readonly place: string; readonly message: string }
  | { readonly message: string };

const setup: WorkerSetup = workerData;
// Loaded with the first job, so that a model that cannot be loaded is that job's error.
let translator: Promise<Translator> | undefined;
let stop = new AbortController();

parentPort?.on('message', async (message: Job | 'abort') => {
  if (message === 'abort') {
    stop.abort();
    return;
  }
  stop = new AbortController();
  parentPort?.postMessage(await answerTo(message, stop.signal));
});

async function answerTo({ lines, options, glossary }: Job, signal: AbortSignal): Promise<Answer> {
  try {
    const { folders, attentionLayer } = setup;
    translator ??= Translator.load(folders, { threads: 1, attentionLayer });
    const terms = glossary === undefined ? undefined : new Glossary(glossary);
    return { lines: await (await translator).translateNumbered(lines, { ...options, glossary: terms, signal }) };
  } catch (error) {
    if (!isHeedError(error))
      return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    return { place: error.place, message: error.message.slice(error.place.length + 2) };
  }
}
