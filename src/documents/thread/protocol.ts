// The calls that the documents thread answers.

import type { TranslatedLine } from '../../translate/index.ts';
import type { DetectedLanguage, Sentence } from '../index.ts';

export interface SplitTask {
  readonly text: string;
  /** Of the text; undefined if it is not known. */
  readonly language: string | undefined;
}

export interface SplitResult {
  /** The white space before the first sentence. */
  readonly lead: string;
  readonly sentences: readonly SplitSentence[];
}

interface SplitSentence extends Sentence {
  /** Whether there is anything to translate. */
  readonly hasWords: boolean;
}

export interface DetectTask {
  readonly text: string;
  readonly format: 'text' | 'html';
  /** Languages to choose from; undefined: all that can be detected. */
  readonly known: readonly string[] | undefined;
}

export interface DocumentTask {
  readonly text: string;
  readonly format: 'text' | 'html';
  readonly language: string | undefined;
  /** How many versions to make: of the best translations of all sentences, of the second best, … */
  readonly versions: number;
}

/** Sentences that a document needs translated. */
export interface SentencesToTranslate {
  readonly sentences: readonly string[];
  /** Whether the words must be aligned with those of the source. */
  readonly withLinks: boolean;
}

export interface DocumentsProtocol {
  readonly split: { readonly input: SplitTask; readonly output: SplitResult };
  readonly detectLanguages: { readonly input: DetectTask; readonly output: readonly DetectedLanguage[] };
  /** The document in its versions, best first. Asks for its sentences once at most. */
  readonly translateDocument: {
    readonly input: DocumentTask;
    readonly output: readonly string[];
    readonly question: SentencesToTranslate;
    readonly reply: readonly TranslatedLine[];
  };
}
