// A translated sentence as documents need it: its text, and the alignment of its words.

import type { TranslatedLine } from '../../translate/index.ts';
import { wordSpans } from '../sentences/segmenter.ts';
import { overlap, type Span } from '../spans.ts';

/** A span of a translation and the aligned span of the sentence, in characters. */
export interface Link {
  readonly source: Span;
  readonly target: Span;
}

export interface TranslatedSentence {
  readonly text: string;
  /**
   * Each word and punctuation mark of the translation once; undefined without alignment: then positions are estimated
   * by proportion.
   */
  readonly links?: readonly Link[] | undefined;
}

/** Translates sentences, in order. */
export type TranslateSentences = (sentences: readonly string[]) => Promise<readonly TranslatedSentence[]>;

/**
 * One of the translations of a line. Each word is linked to the source word that its pieces together attended to most,
 * and each punctuation mark to a punctuation mark (a full stop attends to whatever ends the sentence). Unlike in
 * `Alignment`, words and punctuation are separate, and scripts without spaces have words too.
 * @param rank 0 is the best one; without recorded attention there are no links
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
  /** Its pieces, each with the share that is in the word: a piece may contain several Chinese words. */
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

/**
 * The span of each piece in the text, without the space before a word. If the tokenizer changed the text (NFKC), spans
 * are scaled to its length.
 */
export function pieceSpans(pieces: readonly string[], text: string): Span[] {
  const lengths = pieces.map(lengthOf);
  // The first piece contains a space that the text does not have.
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

/** Characters of a piece. The first byte of a character counts for it, its other bytes and control tokens for nothing. */
function lengthOf(piece: string): number {
  const byte = /^<0x([0-9A-F]{2})>$/.exec(piece);
  if (byte === null) return isControl.test(piece) ? 0 : piece.length;
  const value = Number.parseInt(byte[1], 16);
  if (value >= 0xf0) return 2;
  return value < 0x80 || value >= 0xc0 ? 1 : 0;
}

const isControl = /^(?:<pad>|<s>|<\/s>|>>.+<<)$/;
