// Sentence boundaries within a line: Unicode's rules (UAX 29, by Intl.Segmenter), corrected where they split a sentence
// at an abbreviation, an ordinal, an initial, a list number, an address, or after quoted speech.

import { keptSpans } from '../kept.ts';
import { isAbbreviation, writesOrdinalsWithStop } from './abbreviations.ts';
import { segmentsOf } from './segmenter.ts';

/** The corrections look at this many characters on either side. */
const context = 60;

/** The offsets at which the sentences of a line start, the first at 0; never inside an address or placeholder. */
export function sentenceStarts(line: string, language: string | undefined): number[] {
  const starts = [0];
  const kept = keptSpans(line);
  for (const { start: end } of segmentsOf(line, 'sentence', language)) {
    const start = end - openingMarks(line, end);
    const sentence = starts[starts.length - 1];
    if (start <= sentence) continue;
    while (kept.length > 0 && kept[0].end <= start) kept.shift();
    if (kept.length > 0 && kept[0].start < start) continue;
    const before = line.slice(Math.max(sentence, start - context), start);
    const isWhole = sentence >= start - context;
    if (!continues({ before, isWhole, after: line.slice(start, start + context), language })) starts.push(start);
  }
  return starts;
}

/**
 * The number of opening marks before a boundary that belong after it: Unicode's rules end a sentence of `他来了。“好！”`
 * after `他来了。“`, since the same mark closes a quotation in German.
 */
function openingMarks(line: string, index: number): number {
  const match = opening.exec(line.slice(Math.max(0, index - context), index));
  return (match?.[1] ?? match?.[2] ?? '').length;
}

const opening = /(?:[。！？…][\p{Pe}\p{Pf}]*([“‘\p{Ps}]+)|[.!?][\p{Pe}\p{Pf}"']*(\p{Ps}+))$/u;

interface Junction {
  /** The sentence so far, or its end if it is long. */
  readonly before: string;
  readonly isWhole: boolean;
  readonly after: string;
  readonly language: string | undefined;
}

/** Whether the sentence continues although Unicode's rules end it. */
function continues({ before, isWhole, after, language }: Junction): boolean {
  const sentence = before.trimEnd();
  if (!asciiEnd.test(sentence)) return false;
  const isGlued = sentence.length === before.length;
  if (isGlued && !unspacedStart.test(after)) return true;
  if (closedSpeech.test(sentence) && lowerStart.test(after)) return true;
  if (isWhole && listNumber.test(sentence)) return true;
  if (ordinal.test(sentence) && /^\p{L}/u.test(after) && writesOrdinalsWithStop(language)) return true;
  const word = lastWord.exec(sentence)?.[1];
  if (word === undefined) return false;
  return initials.test(word) || isAbbreviation(word, after, language);
}

/** Sentence ends of other scripts (。 । ؟) are unambiguous. */
const asciiEnd = /[.?!][\p{Pe}\p{Pf}\p{Pi}"']*$/u;
const unspacedStart = /^["“‘「『（]?[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const closedSpeech = /[.?!][\p{Pe}\p{Pf}\p{Pi}"']+$/u;
const lowerStart = /^\p{Ll}/u;
/** `1.`, `12)`, `(a)`, `IV.` */
const listNumber = /^\(?(?:\p{N}{1,3}|\p{L}|[ivxIVX]{1,5})[.)]{1,2}$/u;
const ordinal = /(?<![\p{N}.,])\p{N}{1,2}\.$/u;
/** The word before a full stop, with inner full stops: `z.B`, `U.S`. */
const lastWord = /(?<![^\s("'“„«‘[\p{Pd}])(\p{L}[\p{L}\p{M}]*(?:[.-]+\p{L}[\p{L}\p{M}]*)*)\.$/u;
/** `J`, `z`, `U.S`, `J.R.R`; lower-case ones such as p.m are handled by Unicode's rules. */
const initials = /^(?:\p{L}\p{M}*|\p{Lu}(?:\.\p{Lu})+)$/u;
