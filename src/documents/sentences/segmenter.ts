// Words and sentences by Intl.Segmenter, and tests of characters that several files share.

import type { Span } from '../spans.ts';

/** White space as in JavaScript (including the byte-order mark), and NEXT LINE, the line end of older systems. */
export const whiteSpace = '[\\s\\u0085]';

export interface Segment extends Span {
  readonly text: string;
  /** Whether it is a word or a number; for words only. */
  readonly isWord: boolean;
}

/** Characters that Intl.Segmenter gets at once, since its time is quadratic in the length of a text. */
const pieceLength = { word: 300, sentence: 3000 } as const;

/**
 * The words with the text between them, or the sentences, of a text; concatenated they are the text. The general rules
 * apply to languages that Intl does not know and to names that are no language tags, which models may use. A sentence
 * of more than 3,000 characters comes in parts.
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
    // The end of the last segment depends on the text that follows, so the next piece begins with it.
    const isUnfinished = start + piece.length < text.length && segments.length > 1;
    const whole = isUnfinished ? segments.slice(0, -1) : segments;
    yield* whole;
    start = whole[whole.length - 1].end;
  }
}

/** Ends after a space if there is one in its second half, and never inside a surrogate pair. */
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

/** The words and punctuation marks of a text, without white space. `Dr. No, 42!` has six. */
export function wordSpans(text: string): Segment[] {
  return [...segmentsOf(text, 'word', undefined)].filter((segment) => !isWhiteSpace(segment.text));
}

export function isWhiteSpace(text: string): boolean {
  return allWhiteSpace.test(text);
}

const allWhiteSpace = new RegExp(`^${whiteSpace}*$`, 'u');
