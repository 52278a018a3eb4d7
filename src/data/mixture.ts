// Mixes several corpora in training: selects the pairs of each for an epoch.

import { Random } from '../base/random.ts';

/** A corpus as a run of pair indices. */
export interface CorpusPart {
  readonly pairs: number;
  /** Share of each epoch, beside those of the others; undefined: as many as the corpus has. */
  readonly weight?: number | undefined;
}

/**
 * The pairs of an epoch. An epoch is as many pairs as all corpora have together, and a corpus of weight w gives its
 * w / Σw of them. Its pairs come in shuffled order, continued from epoch to epoch, so that no pair comes again
 * before all others of its corpus have come: 100 and 300 pairs with weights 1 and 1 give 200 each an epoch, the first
 * corpus twice, of the second one two thirds, then the last third and a third of a new permutation.
 * @param parts in the order of their indices @param epoch from 1
 */
export function epochPairs(
  parts: readonly CorpusPart[],
  { seed, epoch }: { readonly seed: number; readonly epoch: number },
): Uint32Array {
  const total = parts.reduce((sum, { pairs }) => sum + pairs, 0);
  const weights = parts.map(({ pairs, weight }) => weight ?? pairs);
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0);
  const chosen: Uint32Array[] = [];
  let first = 0;
  for (const [part, { pairs }] of parts.entries()) {
    const count = Math.max(1, Math.round((total * weights[part]) / weightSum));
    const roundOf = (round: number) => shuffledRange(first, pairs, Random.of(seed, 'corpus', part, round));
    chosen.push(walk(roundOf, { roundLength: pairs, start: (epoch - 1) * count, count }));
    first += pairs;
  }
  return concatenated(chosen);
}

function shuffledRange(first: number, count: number, random: Random): Uint32Array {
  return random.shuffle(Uint32Array.from({ length: count }, (_, i) => first + i));
}

/** `count` entries from index `start` on of the concatenated permutations. */
function walk(
  roundOf: (round: number) => Uint32Array,
  { roundLength, start, count }: { roundLength: number; start: number; count: number },
): Uint32Array {
  const parts: Uint32Array[] = [];
  for (let place = start; place < start + count; ) {
    const within = place % roundLength;
    const part = roundOf(Math.floor(place / roundLength)).subarray(within, within + start + count - place);
    parts.push(part);
    place += part.length;
  }
  return concatenated(parts);
}

function concatenated(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const part of parts) {
    all.set(part, place);
    place += part.length;
  }
  return all;
}
