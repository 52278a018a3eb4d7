// Splits over-long sentences, at the end of a clause if possible: beyond the lengths of its training data a model
// degrades, or its output is cut off.

import { keptSpans } from '../kept.ts';
import type { Span } from '../spans.ts';
import { segmentsOf } from './segmenter.ts';

/** An indivisible segment of a sentence; `rank` is how well a part can end after it. */
interface Segment {
  readonly length: number;
  readonly weight: number;
  readonly rank: number;
}

/**
 * From the worst place for a split to the best: inside a word, between words, at a comma, at a semicolon, dash or full
 * stop.
 */
const ranks = { anywhere: 0, word: 1, space: 2, comma: 3, clause: 4 } as const;

const clauseEnd = /^(?:[;:.?!–—]|[；：。！？…])$/u;
const commaEnd = /^[,，、،]$/u;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/**
 * The offsets at which the parts of a sentence start, the first at 0. Each part is at most `maxLength` characters long,
 * where characters of scripts without spaces count as three; a longer address stays whole.
 */
export function partStarts(sentence: string, maxLength: number, language: string | undefined): number[] {
  if (weigh(sentence) <= maxLength) return [0];
  const segments = segmentsIn(sentence, maxLength, language);
  const starts = [0];
  let position = 0;
  let first = 0;
  for (;;) {
    const end = firstTooMany(segments, first, maxLength);
    if (end === segments.length) return starts;
    const cut = bestCut(segments, first, end);
    for (const { length } of segments.slice(first, cut)) position += length;
    starts.push(position);
    first = cut;
  }
}

/** The index of the first segment that does not fit into a part that begins with `first`; one segment always fits. */
function firstTooMany(segments: readonly Segment[], first: number, maxLength: number): number {
  let weight = 0;
  for (let i = first; i < segments.length; i++) {
    weight += segments[i].weight;
    if (weight > maxLength && i > first) return i;
  }
  return segments.length;
}

/**
 * The index of the segment that begins the next part: after the best place in the second half of the part, of equals
 * the last.
 */
function bestCut(segments: readonly Segment[], first: number, end: number): number {
  const half = segments.slice(first, end).reduce((sum, { weight }) => sum + weight, 0) / 2;
  let best = end;
  let behind = 0;
  for (let i = end - 1; i >= first && behind <= half; i--) {
    if (segments[i].rank > segments[best - 1].rank) best = i + 1;
    behind += segments[i].weight;
  }
  return best;
}

function segmentsIn(sentence: string, maxLength: number, language: string | undefined): Segment[] {
  const kept = keptSpans(sentence);
  const segments: Segment[] = [];
  let position = 0;
  for (const { start, end } of segmentsOf(sentence, 'word', language)) {
    if (start < position) continue;
    while (kept.length > 0 && kept[0].end <= start) kept.shift();
    const whole = kept[0] !== undefined && kept[0].start < end ? Math.max(end, kept[0].end) : end;
    const text = sentence.slice(start, whole);
    if (whole > end || weigh(text) <= maxLength) segments.push(segment(sentence, { start, end: whole }));
    else segments.push(...charactersOf(text));
    position = whole;
  }
  return segments;
}

function segment(sentence: string, { start, end }: Span): Segment {
  const text = sentence.slice(start, end);
  return { length: text.length, weight: weigh(text), rank: rankOf(sentence, start, text) };
}

/** Unlike ， and 。, the ASCII signs , and . end a clause only before a space (1,234.56). */
function rankOf(sentence: string, start: number, text: string): number {
  if (/^\s/u.test(text)) return Math.max(ranks.space, rankOfSign(sentence.slice(start - 1, start)));
  return text.charCodeAt(0) < 0x80 ? ranks.word : rankOfSign(text);
}

function rankOfSign(sign: string): number {
  if (clauseEnd.test(sign)) return ranks.clause;
  return commaEnd.test(sign) ? ranks.comma : ranks.word;
}

/** The characters of a word that is longer than a whole part, with their combining marks as far as these fit. */
function charactersOf(word: string): Segment[] {
  return Array.from(word.match(/.\p{M}{0,8}/gsu) ?? [], (text) => ({
    length: text.length,
    weight: weigh(text),
    rank: ranks.anywhere,
  }));
}

function weigh(text: string): number {
  let weight = 0;
  for (const character of text) weight += unspaced.test(character) ? 3 : character.length;
  return weight;
}
