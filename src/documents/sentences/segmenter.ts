// Intl.Segmenter by language, and the two tests of characters that several files share.

import type { Span } from '../spans.ts';

/** White space: what JavaScript calls so (the byte-order mark too), and NEXT LINE, which older systems end lines with. */
export const whiteSpace = '[\\s\\u0085]';

export interface Segment extends Span {
  readonly text: string;
  /** A word or a number; of words only. */
  readonly isWord: boolean;
}

/** Intl.Segmenter takes time with the square of a text's length, so that it is given a text in pieces of so many characters. */
const pieceLength = { word: 300, sentence: 3000 } as const;

/**
 * The words and what is between them, or the sentences, of a text; together they are the text. A language that Intl does not
 * know, or that is no language tag at all (models may name theirs as they like), has the general rules. A sentence of more than
 * 3,000 characters comes in parts.
 */
export function* segmentsOf(
  text: string,
  granularity: 'word' | 'sentence',
  language: string | undefined,
): Generator<Segment> {
  const segmenter = segmenterOf(granularity, language);
  let start = 0;
  while (start < text.length) {
    const piece = pieceOf(text, start, pieceLength[granularity]);
    const segments = Array.from(segmenter.segment(piece), ({ segment, index, isWordLike }) => ({
      text: segment,
      start: start + index,
      end: start + index + segment.length,
      isWord: isWordLike === true,
    }));
    // Where the last one ends depends on what follows, so the next piece begins with it.
    const isUnfinished = start + piece.length < text.length && segments.length > 1;
    const whole = isUnfinished ? segments.slice(0, -1) : segments;
    yield* whole;
    start = whole[whole.length - 1].end;
  }
}

/** Ends behind a space if there is one in its later half, and never between the halves of a character. */
function pieceOf(text: string, start: number, length: number): string {
  const piece = text.slice(start, start + length);
  if (start + length >= text.length) return piece;
  const space = piece.lastIndexOf(' ');
  if (space > length / 2) return piece.slice(0, space + 1);
  return /[\ud800-\udbff]$/.test(piece) ? piece.slice(0, -1) : piece;
}

const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(granularity: 'word' | 'sentence', language: string | undefined): Intl.Segmenter {
  const key = `${granularity} ${language}`;
  let known = segmenters.get(key);
  if (known === undefined) {
    known = new Intl.Segmenter(isLanguageTag(language) ? language : 'en', { granularity });
    segmenters.set(key, known);
  }
  return known;
}

export function isLanguageTag(language: string | undefined): language is string {
  if (language === undefined) return false;
  try {
    return Intl.getCanonicalLocales(language).length === 1;
  } catch {
    return false;
  }
}

/** The words and signs of a text, without the white space between them. `Dr. No, 42!` has six. */
export function wordSpans(text: string): Segment[] {
  return [...segmentsOf(text, 'word', undefined)].filter((segment) => !isWhiteSpace(segment.text));
}

export function isWhiteSpace(text: string): boolean {
  return allWhiteSpace.test(text);
}

const allWhiteSpace = new RegExp(`^${whiteSpace}*$`, 'u');
