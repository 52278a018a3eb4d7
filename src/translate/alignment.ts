// Alignment of a translation with its source, from the cross-attention of one decoder layer (by default the last but one,
// which aligns best: Garg et al. 2019).

import type { HypothesisResult } from '../decode/index.ts';

export interface WordLink {
  /** Index of the word in the source. */
  readonly source: number;
  /** Index of the word in the translation. */
  readonly target: number;
}

export interface Alignment {
  /** For each piece of the translation, the index of the source piece with the most attention, except tag and END. */
  readonly pieces: readonly number[];
  /** For each word of the translation, the source word with the most attention, summed over pieces. Words end at spaces. */
  readonly words: readonly WordLink[];
}

/**
 * - A piece is linked to the source piece with the highest attention, a word to the source word with the highest sum over
 *   both words' pieces; the first on ties. So each word of the translation has one link, a source word any number.
 * - The tag before the source and the END after it have no links.
 *
 * @param attention [target pieces][source pieces and END]
 * @param sides their pieces, those of the source without END; the first `tagPieces` of it (default 0) are a tag
 */
export function align(
  attention: NonNullable<HypothesisResult['attention']>,
  { source, target, tagPieces = 0 }: AlignedPieces,
): Alignment {
  const text = source.slice(tagPieces);
  if (text.length === 0) return { pieces: [], words: [] };
  const toText = attention.map((row) => row.subarray(tagPieces, source.length));
  const pieces = toText.map((row) => tagPieces + largest(row));
  return { pieces, words: alignWords(toText, { source: text, target }) };
}

interface AlignedPieces {
  readonly source: readonly string[];
  readonly target: readonly string[];
  readonly tagPieces?: number;
}

function alignWords(
  attention: readonly Float32Array[],
  { source, target }: Pick<AlignedPieces, 'source' | 'target'>,
): WordLink[] {
  const sourceWords = wordIndices(source);
  const targetWords = wordIndices(target);
  const sourceCount = countOf(sourceWords);
  if (sourceCount === 0) return [];
  const sums = Array.from({ length: countOf(targetWords) }, () => new Float64Array(sourceCount));
  for (const [i, targetWord] of targetWords.entries()) {
    if (targetWord === undefined) continue;
    for (const [j, sourceWord] of sourceWords.entries())
      if (sourceWord !== undefined) sums[targetWord][sourceWord] += attention[i][j];
  }
  return sums.map((row, word) => ({ source: largest(row), target: word }));
}

/**
 * The word that each piece belongs to, undefined for a lone space. Words are separated by spaces, as
 * `text.split(' ')` finds them, empty ones left out. `▁The ▁dog , ▁ ▁ran` gives 0, 1, 1, undefined, 2.
 */
export function wordIndices(pieces: readonly string[]): (number | undefined)[] {
  let word = -1;
  let isBetweenWords = true;
  return pieces.map((piece) => {
    const isSpace = piece === '▁' || piece === '<0x20>';
    if (isSpace || piece.startsWith('▁')) isBetweenWords = true;
    if (isSpace) return undefined;
    if (isBetweenWords) word++;
    isBetweenWords = false;
    return word;
  });
}

/** The links in the format of Moses: `0-0 2-1`, source word and target word. */
export function pharaoh(links: readonly WordLink[]): string {
  return links.map(({ source, target }) => `${source}-${target}`).join(' ');
}

function countOf(words: readonly (number | undefined)[]): number {
  return 1 + words.reduce<number>((last, word) => word ?? last, -1);
}

/** Index of the largest value; the first on ties. */
function largest(values: Float32Array | Float64Array): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
}
