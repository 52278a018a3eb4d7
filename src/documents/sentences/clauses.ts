// Over-long sentences in parts, cut where a clause ends if there is such a place, since a model degrades or is cut off
// beyond the lengths it has seen.

import { keptSpans } from '../kept.ts';
import type { Span } from '../spans.ts';
import { segmentsOf } from './segmenter.ts';

/** A piece of a sentence that is not cut, and how good a place for a cut its end is. */
interface Stretch {
  readonly length: number;
  readonly weight: number;
  readonly rank: number;
}

/** From the worst place to the best: inside a word, between words, at a comma, at a semicolon, dash or full stop. */
const ranks = { anywhere: 0, word: 1, space: 2, comma: 3, clause: 4 } as const;

const clauseEnd = /^(?:[;:.?!–—]|[；：。！？…])$/u;
const commaEnd = /^[,，、،]$/u;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/**
 * Where the parts of a sentence start, the first one at 0. Each part is at most `maxLength` long, characters of scripts
 * without spaces counted as three; an address longer than that stays whole.
 */
export function partStarts(sentence: string, maxLength: number, language: string | undefined): number[] {
  if (weigh(sentence) <= maxLength) return [0];
  const stretches = stretchesOf(sentence, maxLength, language);
  const starts = [0];
  let position = 0;
  let first = 0;
  for (;;) {
    const end = firstTooMany(stretches, first, maxLength);
    if (end === stretches.length) return starts;
    const cut = bestCut(stretches, first, end);
    for (const { length } of stretches.slice(first, cut)) position += length;
    starts.push(position);
    first = cut;
  }
}

/** The first stretch that does not fit into a part beginning with `first`; one stretch always fits. */
function firstTooMany(stretches: readonly Stretch[], first: number, maxLength: number): number {
  let weight = 0;
  for (let i = first; i < stretches.length; i++) {
    weight += stretches[i].weight;
    if (weight > maxLength && i > first) return i;
  }
  return stretches.length;
}

/** Which stretch of those up to `end` begins the next part: the one at the best place in the later half, of equals the last. */
function bestCut(stretches: readonly Stretch[], first: number, end: number): number {
  const half = stretches.slice(first, end).reduce((sum, { weight }) => sum + weight, 0) / 2;
  let best = end;
  let behind = 0;
  for (let i = end - 1; i >= first && behind <= half; i--) {
    if (stretches[i].rank > stretches[best - 1].rank) best = i + 1;
    behind += stretches[i].weight;
  }
  return best;
}

function stretchesOf(sentence: string, maxLength: number, language: string | undefined): Stretch[] {
  const kept = keptSpans(sentence);
  const stretches: Stretch[] = [];
  let position = 0;
  for (const { start, end } of segmentsOf(sentence, 'word', language)) {
    if (start < position) continue;
    while (kept.length > 0 && kept[0].end <= start) kept.shift();
    const whole = kept[0] !== undefined && kept[0].start < end ? Math.max(end, kept[0].end) : end;
    const text = sentence.slice(start, whole);
    if (whole > end || weigh(text) <= maxLength) stretches.push(stretch(sentence, { start, end: whole }));
    else stretches.push(...crumbs(text));
    position = whole;
  }
  return stretches;
}

function stretch(sentence: string, { start, end }: Span): Stretch {
  const text = sentence.slice(start, end);
  return { length: text.length, weight: weigh(text), rank: rankOf(sentence, start, text) };
}

/** , and . end a clause only before a space (1,234.56), unlike ， and 。 */
function rankOf(sentence: string, start: number, text: string): number {
  if (/^\s/u.test(text)) return Math.max(ranks.space, rankOfSign(sentence.slice(start - 1, start)));
  return text.charCodeAt(0) < 0x80 ? ranks.word : rankOfSign(text);
}

function rankOfSign(sign: string): number {
  if (clauseEnd.test(sign)) return ranks.clause;
  return commaEnd.test(sign) ? ranks.comma : ranks.word;
}

/** A word that is longer than a whole part: its characters, marks with what they stand on as far as that fits. */
function crumbs(word: string): Stretch[] {
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
