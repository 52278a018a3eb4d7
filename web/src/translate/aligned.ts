// A translated text for display: its units and pieces, their probabilities, and their alignment.

import type { SentenceAnswer, TranslationAnswer } from '../../../src/serve/index.ts';
import { type Span, type Units, unitsOf } from './units.ts';

/** A sentence, the index of its shown translation, and the offsets of both in the whole texts. */
export interface ShownSentence {
  readonly sentence: SentenceAnswer;
  readonly translation: TranslationAnswer;
  readonly starts: { readonly source: number; readonly target: number };
}

/** A piece of the translation and its position in the whole text. */
export interface ShownPiece extends Span {
  /** 0 to 1, given the source and the pieces before it. */
  readonly probability: number;
}

export interface ShownUnit extends Span {
  readonly sentence: number;
  /** Empty in the source. */
  readonly pieces: readonly ShownPiece[];
  /** Units of the other side that it is aligned with, ascending. */
  readonly links: readonly number[];
}

export interface AlignedText {
  readonly source: readonly ShownUnit[];
  readonly target: readonly ShownUnit[];
}

export function alignedText(shown: readonly ShownSentence[]): AlignedText {
  const source: ShownUnit[] = [];
  const target: ShownUnit[] = [];
  for (const [number, { sentence, translation, starts }] of shown.entries()) {
    const tagPieces = countTagPieces(sentence.sourcePieces);
    const units = {
      source: unitsOf(sentence.source, sentence.sourcePieces.slice(tagPieces, -1)),
      target: unitsOf(translation.text, translation.pieces),
    };
    const links = linksOf(translation, { ...units, tagPieces });
    const first = { source: source.length, target: target.length };
    for (const [i, unit] of units.source.units.entries())
      source.push({
        sentence: number,
        pieces: [],
        ...moved(unit, starts.source),
        links: links.flatMap((sources, j) => (sources.includes(i) ? [first.target + j] : [])),
      });
    for (const [j, unit] of units.target.units.entries())
      target.push({
        sentence: number,
        ...moved(unit, starts.target),
        pieces: unit.pieces.map((span) => ({
          ...moved(span, starts.target),
          probability: Math.exp(translation.logProbabilities[span.piece]),
        })),
        links: links[j].map((i) => first.source + i),
      });
  }
  return { source, target };
}

/** For each unit of the translation its source units: by the alignment of words, or else by that of pieces. */
function linksOf(
  { alignment }: TranslationAnswer,
  { source, target, tagPieces }: { source: Units; target: Units; tagPieces: number },
): number[][] {
  if (source.areWords && target.areWords)
    return target.units.map((_, word) =>
      (alignment?.words ?? []).flatMap((link) => (link.target === word ? link.source : [])),
    );
  const unitOfPiece = new Map(source.units.flatMap(({ pieces }, unit) => pieces.map(({ piece }) => [piece, unit])));
  return target.units.map(({ pieces }) => {
    const found = pieces.map(({ piece }) => unitOfPiece.get((alignment?.pieces[piece] ?? -1) - tagPieces));
    return [...new Set(found.filter((unit) => unit !== undefined))].sort((a, b) => a - b);
  });
}

/** The tokenizer puts a space before a text; pieces before that, such as `>>de<<`, are no part of the text. */
function countTagPieces(sourcePieces: readonly string[]): number {
  return Math.max(
    0,
    sourcePieces.findIndex((piece) => piece.startsWith('▁')),
  );
}

function moved({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}
