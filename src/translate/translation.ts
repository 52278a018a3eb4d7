// The result of translating a line.

import type { HypothesisResult } from '../decode/index.ts';
import type { Tokenizer } from '../text/index.ts';
import { type Alignment, align } from './alignment.ts';

export interface Translation {
  readonly text: string;
  /** Σ log p / length penalty, plus the coverage penalty if enabled. */
  readonly score: number;
  /** Ids of the pieces. */
  readonly tokens: readonly number[];
  /** The pieces of the text, ▁ for a space. */
  readonly pieces: readonly string[];
  /** Of each piece, and of END if `reason` is `end`. */
  readonly logProbabilities: readonly number[];
  /** `end`: the model ended it; `length`: cut; `blocked`: every next piece was banned; `blank`: the line was blank. */
  readonly reason: HypothesisResult['reason'] | 'blank';
  /** Target terms of the glossary that the line requires and the translation lacks. */
  readonly missingTerms: readonly string[];
  /** Alignment of pieces and words with the source; undefined unless attention is recorded. */
  readonly alignment?: Alignment | undefined;
  /** [pieces][source pieces, END last]: attention to the source when the piece was selected, the mean over heads. */
  readonly attention?: readonly Float32Array[] | undefined;
}

export interface TranslatedLine {
  readonly source: string;
  /** The pieces of the source, after the tag of the target language if the model has tags; END last. */
  readonly sourcePieces: readonly string[];
  /** Best first; the first is the translation. */
  readonly translations: readonly Translation[];
}

export interface Context {
  readonly tokenizer: Tokenizer;
  readonly sourcePieces: readonly string[];
  /** How many of the first ones are a tag. */
  readonly tagPieces: number;
  /** The forced target terms, in the order of the search's phrases. */
  readonly terms: readonly string[];
  readonly showsAttention: boolean;
}

export function translationOf(result: HypothesisResult, context: Context): Translation {
  const { tokens, score, logProbabilities, reason, missingPhrases } = result;
  const { tokenizer, sourcePieces, tagPieces, terms, showsAttention } = context;
  const pieces = tokenizer.pieces(tokens);
  const attention = showsAttention ? result.attention : undefined;
  return {
    text: tokenizer.decode(tokens),
    score,
    tokens,
    pieces,
    logProbabilities,
    reason,
    missingTerms: missingPhrases.map((i) => terms[i]),
    alignment: attention && align(attention, { source: sourcePieces.slice(0, -1), target: pieces, tagPieces }),
    attention,
  };
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** A blank line is its own translation, since models would invent text. */
export function untouched(source: string): TranslatedLine {
  const empty = { tokens: [], pieces: [], logProbabilities: [], missingTerms: [] };
  const seen = { alignment: { pieces: [], words: [] }, attention: [] };
  return { source, sourcePieces: [], translations: [{ text: source, score: 0, reason: 'blank', ...empty, ...seen }] };
}
