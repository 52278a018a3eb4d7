// The sentences of a run that are to be translated, and the rest between them, which stays as it is.

import { isWhiteSpace } from '../sentences/segmenter.ts';
import { needsSpace } from '../sentences/spacing.ts';
import { type SplitOptions, splitText } from '../sentences/split-text.ts';
import { overlapping, type Span } from '../spans.ts';
import type { Box, Run } from './run.ts';

export interface RunSentence extends Span {
  /** The text to translate: without marks, white space as single spaces. */
  readonly text: string;
  /** The position of each of its characters in the run. */
  readonly offsets: readonly number[];
}

/** A span that stays as it is: white space, a mark, a sentence without words. No box begins or ends inside. */
export interface Rest extends Span {
  readonly text: undefined;
}

/** Sentences and rests in the order of the run, without gaps. */
export function partsOf(run: Run, options: SplitOptions): (RunSentence | Rest)[] {
  const parts: (RunSentence | Rest)[] = [];
  const edges = [...edgesOf(run), run.characters.length];
  let [position, nextEdge] = [0, 0];
  const addRest = (end: number): void => {
    while (position < end) {
      while (edges[nextEdge] <= position) nextEdge++;
      const cut = Math.min(edges[nextEdge], end);
      parts.push({ start: position, end: cut, text: undefined });
      position = cut;
    }
  };
  for (const sentence of sentencesOf(run, options)) {
    addRest(sentence.start);
    parts.push(sentence);
    position = sentence.end;
  }
  addRest(run.characters.length);
  return parts;
}

function sentencesOf(run: Run, options: SplitOptions): RunSentence[] {
  const unkept = withoutKept(run);
  return spansOf(run, options).flatMap((sentence) => {
    const span = withoutMarks(run, sentence);
    const hasWords = /\p{L}/u.test(unkept.slice(span.start, span.end));
    return hasWords ? [read(run, span)] : [];
  });
}

/** The spans of the sentences; none ends inside kept text. */
function spansOf(run: Run, options: SplitOptions): Span[] {
  const { lead, sentences } = splitText(run.characters, options);
  const kept = keptBoxes(run.boxes);
  const spans: Span[] = [];
  let position = lead.length;
  for (const { text, separator } of sentences) {
    const span = { start: position, end: position + text.length };
    const last = spans.at(-1);
    const isGoingOn =
      last !== undefined &&
      overlapping(kept, { start: last.end - 1, end: span.start + 1 }).some(
        ({ start, end }) => start < last.end && end > span.start,
      );
    if (isGoingOn) spans[spans.length - 1] = { start: last.start, end: span.end };
    else spans.push(span);
    position = span.end + separator.length;
  }
  return spans;
}

function keptBoxes(boxes: readonly Box[]): Box[] {
  return boxes.flatMap((box) => (box.kind === 'tags' ? keptBoxes(box.children) : [box]));
}

/** Where boxes begin or end, in order. */
function edgesOf(run: Run): number[] {
  const edges = new Set<number>();
  const add = (box: Box): void => {
    edges.add(box.start).add(box.end);
    if (box.kind === 'tags') box.children.forEach(add);
  };
  run.boxes.forEach(add);
  return [...edges].sort((a, b) => a - b);
}

/** The characters of the run, with kept text replaced by spaces. */
function withoutKept({ characters, boxes }: Run): string {
  let text = '';
  for (const { start, end } of keptBoxes(boxes)) text += characters.slice(text.length, start) + ' '.repeat(end - start);
  return text + characters.slice(text.length);
}

/** Marks at the ends of a sentence keep their places, so they are not part of it. */
function withoutMarks({ marks, characters }: Run, { start, end }: Span): Span {
  const isRest = (i: number): boolean => marks.has(i) || isWhiteSpace(characters[i]);
  while (start < end && isRest(start)) start++;
  while (end > start && isRest(end - 1)) end--;
  return { start, end };
}

function read(run: Run, span: Span): RunSentence {
  const offsets: number[] = [];
  let text = '';
  for (let i = span.start; i < span.end; i++) {
    const character = characterAt(run, i);
    if (character === '' || (character === ' ' && text.endsWith(' '))) continue;
    text += character;
    offsets.push(i);
  }
  return { ...span, text, offsets };
}

/** A visible mark between two letters is a space: `Hello<img>world` are two words. */
function characterAt({ characters, marks }: Run, i: number): string {
  const mark = marks.get(i);
  if (mark === undefined) return isWhiteSpace(characters[i]) ? ' ' : characters[i];
  const isBetweenWords = needsSpace(characters.slice(Math.max(0, i - 2), i), characters.slice(i + 1, i + 3));
  return mark.isVisible && isBetweenWords ? ' ' : '';
}
