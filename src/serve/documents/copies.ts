// What stands in a translation letter for letter as in its source, where that tells exactly where markup goes: kept text
// (code, addresses), and words with a tag inside, such as H<sub>2</sub>O.

import type { Box, Run } from './run.ts';
import type { RunSentence } from './run-sentences.ts';
import { overlap, type Span } from './segmenter.ts';
import type { Link } from './translated-sentence.ts';

/** Each copy: source in the characters of the run, target in the translation. None overlaps another. */
export function findCopies(run: Run, sentence: RunSentence, translation: string): Link[] {
  const copies: Link[] = [];
  for (const { start, end, cuts } of wantedCopies(run, sentence)) {
    const text = run.characters.slice(start, end);
    const place = freePlace(translation, text, copies);
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
  /** Where tags stand inside. */
  readonly cuts: readonly number[];
}

function wantedCopies(run: Run, sentence: RunSentence): WantedCopy[] {
  const kept: WantedCopy[] = [];
  const edges = new Set<number>();
  const look = (box: Box): void => {
    if (overlap(box, sentence) === 0) return;
    if (run.marks.has(box.start)) return;
    if (box.markup !== undefined) kept.push({ start: box.start, end: box.end, cuts: [] });
    else {
      edges.add(box.start).add(box.end);
      box.children.forEach(look);
    }
  };
  run.boxes.forEach(look);
  const cuts = [...edges].sort((a, b) => a - b).filter((edge) => edge > sentence.start && edge < sentence.end);
  return [...kept, ...cutWords(run.characters, cuts).filter((word) => !kept.some((box) => overlap(box, word) > 0))];
}

/** Words that have cuts inside. */
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

/** Outside the basic plane a character is two halves, which are taken for none of a word. */
const wordCharacter = /[\p{L}\p{M}\p{N}]/u;

/** Where a text stands in another, apart from the copies already found. */
function freePlace(translation: string, text: string, copies: readonly Link[]): number | undefined {
  for (let at = translation.indexOf(text); at >= 0; at = translation.indexOf(text, at + 1)) {
    const place = { start: at, end: at + text.length };
    if (!copies.some(({ target }) => overlap(target, place) > 0)) return at;
  }
  return undefined;
}
