// What a document needs to know of a translated sentence: its text, and which words came from which.

import type { TranslatedLine } from '../../translate/index.ts';
import { wordSpans } from '../sentences/segmenter.ts';
import { overlap, type Span } from '../spans.ts';

/** A stretch of a translation and the stretch of the sentence that it came from, in characters. */
export interface Link {
  readonly source: Span;
  readonly target: Span;
}

export interface TranslatedSentence {
  readonly text: string;
  /** Each word and sign of the translation once; undefined if nothing is known, then places are guessed by proportion. */
  readonly links?: readonly Link[] | undefined;
}

/** Translates sentences, in order. */
export type TranslateSentences = (sentences: readonly string[]) => Promise<readonly TranslatedSentence[]>;

/**
 * One of the translations of a line. Each word of it is linked to the source word that its pieces together attended to most,
 * each sign to a sign (a full stop attends to whatever ends the sentence). Unlike in `Alignment`, words and signs are apart, and
 * scripts without spaces have words too.
 * @param rank 0 is the best one; attention must have been asked for, or there are no links
 */
export function translatedSentence(line: TranslatedLine, rank = 0): TranslatedSentence {
  const { text, pieces, attention } = line.translations[rank];
  if (attention === undefined || attention.length === 0) return { text };
  const source = piecesByWord(line.sourcePieces, line.source);
  const target = piecesByWord(pieces, text);
  const links = target.flatMap(({ word, isWord, parts }) => {
    const alike = source.filter((from) => from.isWord === isWord);
    const candidates = alike.length > 0 ? alike : source;
    const attended = candidates.map((from) =>
      sum(parts, (row) => sum(from.parts, (column) => attention[row]?.[column] ?? 0)),
    );
    const best = attended.indexOf(Math.max(...attended));
    return best < 0 ? [] : [{ source: candidates[best].word, target: word }];
  });
  return { text, links };
}

interface WordPieces {
  readonly word: Span;
  readonly isWord: boolean;
  /** The pieces that spell it, each with the share of it that lies in the word: a piece may spell several Chinese words. */
  readonly parts: readonly { readonly piece: number; readonly share: number }[];
}

function sum(parts: WordPieces['parts'], value: (piece: number) => number): number {
  return parts.reduce((total, { piece, share }) => total + share * value(piece), 0);
}

function piecesByWord(pieces: readonly string[], text: string): WordPieces[] {
  const spans = pieceSpans(pieces, text);
  return wordSpans(text).map(({ start, end, isWord }) => ({
    word: { start, end },
    isWord,
    parts: spans.flatMap((span, piece) => {
      const shared = overlap(span, { start, end });
      return shared > 0 ? [{ piece, share: shared / (span.end - span.start) }] : [];
    }),
  }));
}

/** Where each piece stands in the text, the space before a word aside. If the tokenizer changed the text (NFKC), places are scaled to its length. */
export function pieceSpans(pieces: readonly string[], text: string): Span[] {
  const lengths = pieces.map(lengthOf);
  // The first piece spells a space that the text does not have.
  const spelled = lengths.reduce((total, length) => total + length, -1);
  const scale = text.length / Math.max(1, spelled);
  let end = -1;
  return lengths.map((length, i) => {
    const space = length > 1 && pieces[i].startsWith('▁') ? 1 : 0;
    const start = Math.max(0, end + space) * scale;
    end += length;
    return { start, end: Math.max(0, end) * scale };
  });
}

/** Characters that a piece spells. The first byte of a character spells it, its others nothing; control tokens nothing. */
function lengthOf(piece: string): number {
  const byte = /^<0x([0-9A-F]{2})>$/.exec(piece);
  if (byte === null) return isControl.test(piece) ? 0 : piece.length;
  const value = Number.parseInt(byte[1], 16);
  if (value >= 0xf0) return 2;
  return value < 0x80 || value >= 0xc0 ? 1 : 0;
}

const isControl = /^(?:<pad>|<s>|<\/s>|>>.+<<)$/;
