// What the server's own thread and the thread of documents say to each other. All of it is plain data.

import type { SentError } from '../base/sent-error.ts';
import type { TranslatedLine } from '../translate/index.ts';
import type { DetectedLanguage, Sentence } from './documents/index.ts';

export interface SplitTask {
  readonly kind: 'split';
  readonly text: string;
  /** Of the text; undefined if it is not known. */
  readonly language: string | undefined;
}

export interface DetectTask {
  readonly kind: 'detect';
  readonly text: string;
  readonly format: 'text' | 'html';
  /** Languages to choose from; undefined: all that can be detected. */
  readonly known: readonly string[] | undefined;
}

export interface TranslateTask {
  readonly kind: 'text' | 'html';
  readonly text: string;
  readonly language: string | undefined;
  /** How many versions to make: of the best translations of all sentences, of the second best, … */
  readonly versions: number;
}

export type DocumentTask = SplitTask | DetectTask | TranslateTask;

export interface DocumentResults {
  readonly split: { readonly lead: string; readonly sentences: readonly SplitSentence[] };
  readonly detect: readonly DetectedLanguage[];
  readonly text: readonly string[];
  readonly html: readonly string[];
}

interface SplitSentence extends Sentence {
  /** Whether there is anything to translate. */
  readonly hasWords: boolean;
}

/** A task with a number of its own; or the translations that a task has asked for, or that there are none. */
export type ToDocuments =
  | { readonly id: number; readonly task: DocumentTask }
  | { readonly call: number; readonly lines: readonly TranslatedLine[] | undefined };

/** How a task ended; or sentences that it needs translated, under a number of their own. */
export type FromDocuments =
  | { readonly id: number; readonly result: DocumentResults[DocumentTask['kind']] }
  | { readonly id: number; readonly error: SentError }
  | { readonly id: number; readonly call: number; readonly wanted: WantedSentences };

export interface WantedSentences {
  readonly sentences: readonly string[];
  /** Whether it must be known which words came from which. */
  readonly withLinks: boolean;
}
