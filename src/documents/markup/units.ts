// The output of a run as a sequence of units (words, punctuation, white space, marks), each with the span of the run
// that it came from.

import { isWhiteSpace, wordSpans } from '../sentences/segmenter.ts';
import { separatorOf } from '../sentences/spacing.ts';
import { overlap, type Span } from '../spans.ts';
import { findCopies } from './copies.ts';
import type { Run } from './run.ts';
import type { Rest, RunSentence } from './run-sentences.ts';
import type { Link, TranslatedSentence } from './translated-sentence.ts';

export interface Unit {
  readonly text: string;
  /** White space in front of it. */
  readonly gap: string;
  /** Its source, in the characters of the run. */
  readonly from: Span;
  /** How reliable `from` is. */
  readonly weight: number;
  /** `rest`: not part of a sentence; `copied`: it occurs in the sentence exactly like this. */
  readonly kind: 'rest' | 'translated' | 'copied';
  /** A word or number, as opposed to punctuation and white space. */
  readonly isWord: boolean;
}

/** A part of the run, and the units made of it. */
export interface PartUnits extends Span {
  readonly units: Span;
}

export interface Output {
  readonly units: readonly Unit[];
  readonly parts: readonly PartUnits[];
}

/**
 * Untranslated text stays in place, except for insignificant white space. The source of a word is more reliable than
 * that of a punctuation mark.
 */
const weights = { rest: 1e6, copy: 10, word: 1, sign: 0.3, freeSpace: 0.1 } as const;

/** @param translations of the sentences among the parts, in order */
export function outputOf(
  run: Run,
  parts: readonly (RunSentence | Rest)[],
  translations: readonly TranslatedSentence[],
): Output {
  const units: Unit[] = [];
  const places: PartUnits[] = [];
  const spacing = spacingOf(run, parts, translations);
  let sentence = 0;
  for (const [i, part] of parts.entries()) {
    const start = units.length;
    if (part.text === undefined) {
      const text = spacing.dropped.has(i) ? '' : run.raw.slice(part.start, part.end);
      const weight = weights[run.format.hasFreeLines && isWhiteSpace(text) ? 'freeSpace' : 'rest'];
      units.push({ text, gap: '', from: part, weight, kind: 'rest', isWord: false });
    } else units.push(...sentenceUnits(run, part, translations[sentence++], spacing.added.has(i) ? ' ' : ''));
    places.push({ start: part.start, end: part.end, units: { start, end: units.length } });
  }
  return { units, parts: places };
}

/** Indices of the white space that is dropped, and of the sentences that get a space in front. */
function spacingOf(
  run: Run,
  parts: readonly (RunSentence | Rest)[],
  translations: readonly TranslatedSentence[],
): { dropped: ReadonlySet<number>; added: ReadonlySet<number> } {
  const dropped = new Set<number>();
  const added = new Set<number>();
  const places = [...parts.keys()].filter((i) => parts[i].text !== undefined);
  for (const [n, i] of places.slice(1).entries()) {
    const before = places[n];
    const between = run.raw.slice(parts[before].end, parts[i].start);
    if (!isWhiteSpace(between) || run.marks.has(parts[before].end)) continue;
    const source = [parts[before].text ?? '', parts[i].text ?? ''] as const;
    const separator = separatorOf(between, source, [translations[n].text.trim(), translations[n + 1].text.trim()]);
    if (separator === between) continue;
    if (separator === '') for (let rest = before + 1; rest < i; rest++) dropped.add(rest);
    else added.add(i);
  }
  return { dropped, added };
}

function sentenceUnits(run: Run, sentence: RunSentence, translation: TranslatedSentence, gap: string): Unit[] {
  const { text, links } = translation;
  const words = withCopies(wordSpans(text), findCopies(run, sentence, translation));
  let from: Span | undefined;
  const origins = words.map((word) => {
    from = word.from ?? (links ? originOf(word, links, sentence) : proportional(word, text, sentence)) ?? from;
    return from;
  });
  const first = origins.find((origin) => origin !== undefined) ?? sentence;
  return words.map(({ start, end, isWord, from: copied }, i) => ({
    text: text.slice(start, end),
    gap: i === 0 ? gap : text.slice(words[i - 1].end, start),
    from: origins[i] ?? first,
    weight: copied ? weights.copy : weights[isWord ? 'word' : 'sign'],
    kind: copied ? 'copied' : 'translated',
    isWord,
  }));
}

interface OutputWord extends Span {
  readonly isWord: boolean;
  /** The span that it was copied from. */
  readonly from?: Span;
}

/** The words of a translation, with its copies as separate words. */
function withCopies(words: readonly OutputWord[], copies: readonly Link[]): OutputWord[] {
  const cuts = copies.flatMap(({ target }) => [target.start, target.end]).sort((a, b) => a - b);
  const free = words.flatMap((word) => {
    const edges = [word.start, ...cuts.filter((cut) => cut > word.start && cut < word.end), word.end];
    const pieces = edges.slice(1).map((end, i) => ({ start: edges[i], end, isWord: word.isWord }));
    return pieces.filter((piece) => !copies.some(({ target }) => overlap(piece, target) > 0));
  });
  const copied = copies.map(({ source, target }) => ({ ...target, isWord: true, from: source }));
  return [...free, ...copied].sort((a, b) => a.start - b.start);
}

/** The source of the link that overlaps most with the word, in the characters of the run. */
function originOf(word: Span, links: readonly Link[], { offsets }: RunSentence): Span | undefined {
  let best: Link | undefined;
  for (const link of links) if (overlap(link.target, word) > (best ? overlap(best.target, word) : 0)) best = link;
  if (best === undefined) return undefined;
  const { start, end } = best.source;
  return start < end && end <= offsets.length ? { start: offsets[start], end: offsets[end - 1] + 1 } : undefined;
}

/** An estimate without alignment: the same share of the sentence is before it. */
function proportional({ start, end }: Span, text: string, { offsets }: RunSentence): Span {
  const middle = offsets[Math.floor((((start + end) / 2) * offsets.length) / text.length)];
  return { start: middle, end: middle + 1 };
}
