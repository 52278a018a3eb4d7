// Intl.Segmenter by language, and the two tests of characters that several files share.

/** White space: what JavaScript calls so (the byte-order mark too), and NEXT LINE, which older systems end lines with. */
export const whiteSpace = '[\\s\\u0085]';

const segmenters = new Map<string, Intl.Segmenter>();

/**
 * The rules of a language for words or sentences. A language that Intl does not know, or that is no language tag at all
 * (models may name theirs as they like), has the general rules.
 */
export function segmenter(granularity: 'word' | 'sentence', language: string | undefined): Intl.Segmenter {
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

/** A stretch of a text: from its first character up to, and without, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface WordSpan extends Span {
  /** A word or a number; otherwise a punctuation mark, an emoji or the like. */
  readonly isWord: boolean;
}

/** The words and signs of a text, without the white space between them. `Dr. No, 42!` has six. */
export function wordSpans(text: string): WordSpan[] {
  const spans: WordSpan[] = [];
  for (const { segment, index, isWordLike } of segmenter('word', undefined).segment(text))
    if (!isWhiteSpace(segment)) spans.push({ start: index, end: index + segment.length, isWord: isWordLike === true });
  return spans;
}

export function isWhiteSpace(text: string): boolean {
  return allWhiteSpace.test(text);
}

const allWhiteSpace = new RegExp(`^${whiteSpace}*$`, 'u');

/** How many characters two spans share. */
export function overlap(a: Span, b: Span): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}
