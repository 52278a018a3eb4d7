// Splits a text into sentences and the white space between them, without loss.

import type { Span } from '../spans.ts';
import { partStarts } from './clauses.ts';
import { whiteSpace } from './segmenter.ts';
import { sentenceStarts } from './sentence-boundaries.ts';

export interface Sentence {
  /** Not blank, and without white space at its ends. */
  readonly text: string;
  /** The white space after it, often none in Chinese. */
  readonly separator: string;
}

export interface SplitText {
  /** The white space before the first sentence; all of a blank text. */
  readonly lead: string;
  readonly sentences: readonly Sentence[];
}

export interface SplitOptions {
  /**
   * Language of the text, such as `de`; abbreviations and ordinals depend on it. Default: the abbreviations of all
   * languages.
   */
  readonly language?: string | undefined;
  /**
   * Maximum length of a sentence in characters, where those of scripts without spaces count as three; default 400 (about 65
   * English words). A longer one is split, at the end of a clause if possible.
   */
  readonly maxLength?: number | undefined;
}

const defaultMaxLength = 400;

/**
 * The sentences of a text. Every line break ends a sentence. `joinSentences` restores the text exactly.
 */
export function splitText(text: string, { language, maxLength = defaultMaxLength }: SplitOptions = {}): SplitText {
  const spans: Span[] = [];
  for (const line of lineSpans(text)) {
    const content = text.slice(line.start, line.end);
    for (const sentence of tiles(sentenceStarts(content, language), content.length)) {
      const trimmed = trim(content, sentence);
      const whole = content.slice(trimmed.start, trimmed.end);
      for (const part of tiles(partStarts(whole, maxLength, language), whole.length)) {
        const { start, end } = trim(whole, part);
        const offset = line.start + trimmed.start;
        if (end > start) spans.push({ start: offset + start, end: offset + end });
      }
    }
  }
  const sentences = spans.map(({ start, end }, i) => ({
    text: text.slice(start, end),
    separator: text.slice(end, spans[i + 1]?.start ?? text.length),
  }));
  return { lead: text.slice(0, spans[0]?.start ?? text.length), sentences };
}

export function joinSentences({ lead, sentences }: SplitText): string {
  return lead + sentences.map(({ text, separator }) => text + separator).join('');
}

/** Lines without their ends: those of Unix, Windows and old systems, and Unicode's own. */
function lineSpans(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const { index } of text.matchAll(/[\n\v\f\r\u0085\u2028\u2029]/g)) {
    if (index > start) spans.push({ start, end: index });
    start = index + 1;
  }
  if (text.length > start) spans.push({ start, end: text.length });
  return spans;
}

function tiles(starts: readonly number[], length: number): Span[] {
  return starts.map((start, i) => ({ start, end: starts[i + 1] ?? length }));
}

const leading = new RegExp(`^${whiteSpace}*`, 'u');

function trim(text: string, { start, end }: Span): Span {
  const content = text.slice(start, end);
  const lead = leading.exec(content)?.[0].length ?? 0;
  let last = content.length;
  while (last > lead && isSpace.test(content[last - 1])) last--;
  return { start: start + lead, end: start + last };
}

const isSpace = new RegExp(whiteSpace, 'u');
