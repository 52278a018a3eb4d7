// Text that occurs in a translation exactly as in its source, and so determines where markup goes: untranslated text (code,
// addresses), and words with a tag inside, such as H<sub>2</sub>O.

import { needsSpace } from '../sentences/spacing.ts';
import { overlap, overlapping, type Span } from '../spans.ts';
import type { Box, Run } from './run.ts';
import type { RunSentence } from './run-sentences.ts';
import type { Link, TranslatedSentence } from './translated-sentence.ts';

/** The copies, without overlaps: `source` in the characters of the run, `target` in the translation. */
export function findCopies(run: Run, sentence: RunSentence, translation: TranslatedSentence): Link[] {
  const copies: Link[] = [];
  for (const wanted of wantedCopies(run, sentence)) {
    const { start, end, cuts } = wanted;
    const places = placesOf(run, wanted, translation.text).filter((place) => isFree(place, end - start, copies));
    const expected = expectedPlace(wanted, sentence, translation);
    const [place] = places.sort((a, b) => Math.abs(a - expected) - Math.abs(b - expected));
    if (place === undefined) continue;
    const edges = [start, ...cuts, end];
    for (const [i, edge] of edges.slice(1).entries()) {
      const source = { start: edges[i], end: edge };
      copies.push({ source, target: { start: place + edges[i] - start, end: place + edge - start } });
    }
  }
  return copies;
}

interface WantedCopy extends Span {
  /** Positions of tags inside. */
  readonly cuts: readonly number[];
}

function wantedCopies(run: Run, sentence: RunSentence): WantedCopy[] {
  const kept: WantedCopy[] = [];
  const edges = new Set<number>();
  const look = (box: Box): void => {
    if (box.kind === 'kept') kept.push({ ...withoutSpaces(run.characters, box), cuts: [] });
    if (box.kind === 'tags') {
      edges.add(box.start).add(box.end);
      overlapping(box.children, sentence).forEach(look);
    }
  };
  overlapping(run.boxes, sentence).forEach(look);
  const cuts = [...edges].sort((a, b) => a - b).filter((edge) => edge > sentence.start && edge < sentence.end);
  return [...kept, ...cutWords(run.characters, cuts).filter((word) => !kept.some((box) => overlap(box, word) > 0))];
}

/** `<code> npm </code>` is copied if `npm` is. */
function withoutSpaces(characters: string, { start, end }: Span): Span {
  const text = characters.slice(start, end);
  return { start: end - text.trimStart().length, end: start + text.trimEnd().length };
}

/** Words with tags inside. */
function cutWords(characters: string, cuts: readonly number[]): WantedCopy[] {
  const words: (Span & { cuts: number[] })[] = [];
  for (const cut of cuts) {
    const known = words.at(-1);
    if (known !== undefined && cut < known.end) known.cuts.push(cut);
    else {
      let [start, end] = [cut, cut];
      while (start > 0 && wordCharacter.test(characters[start - 1])) start--;
      while (end < characters.length && wordCharacter.test(characters[end])) end++;
      if (start < cut && end > cut) words.push({ start, end, cuts: [cut] });
    }
  }
  return words;
}

/** Tests one UTF-16 code unit; halves of surrogate pairs do not count as parts of a word. */
const wordCharacter = /[\p{L}\p{M}\p{N}]/u;

/** Where a span of the run occurs in a translation: as separate words, unless it is inside a word in the run too. */
function placesOf({ characters, marks }: Run, { start, end }: Span, translation: string): number[] {
  const text = characters.slice(start, end);
  let [first, last] = [start, end];
  while (marks.has(first - 1)) first--;
  while (marks.has(last)) last++;
  const isCutBefore = needsSpace(before(characters, first), text);
  const isCutBehind = needsSpace(text, behind(characters, last));
  const places: number[] = [];
  for (let at = translation.indexOf(text); at >= 0; at = translation.indexOf(text, at + 1)) {
    const isWhole =
      (isCutBefore || !needsSpace(before(translation, at), text)) &&
      (isCutBehind || !needsSpace(text, behind(translation, at + text.length)));
    if (isWhole) places.push(at);
  }
  return places;
}

/** Two code units, in case the character is a surrogate pair. */
function before(text: string, place: number): string {
  return text.slice(Math.max(0, place - 2), place);
}

function behind(text: string, place: number): string {
  return text.slice(place, place + 2);
}

function isFree(start: number, length: number, copies: readonly Link[]): boolean {
  return !copies.some(({ target }) => overlap(target, { start, end: start + length }) > 0);
}

/** The expected start of the translation of a span of the run, by its first link, or else by proportion. */
function expectedPlace(
  stretch: Span,
  { start, end, offsets }: RunSentence,
  { text, links }: TranslatedSentence,
): number {
  const isInside = (offset: number | undefined): boolean =>
    offset !== undefined && offset >= stretch.start && offset < stretch.end;
  const link = links?.find(({ source }) => isInside(offsets[source.start]));
  return link?.target.start ?? (text.length * (stretch.start - start)) / (end - start);
}
