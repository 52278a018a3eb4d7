// Batches limited by padded tokens, of sentences of similar length (the paper's section 5.1: "batched together by
// approximate sequence length"). The order is a function of seed and epoch alone, so that a resumed run needs to
// remember no more than the epoch and the number of batches done.

import { HeedError } from '../base/error.ts';
import { Random } from '../base/random.ts';
import type { PairSource } from './pairs.ts';

/** Tokens of each pair as a batch holds them: its pieces and one control token on either side (see `Batch`). */
export interface PairLengths {
  readonly source: Int32Array;
  readonly target: Int32Array;
}

export interface BatchOptions {
  /** The most that rows × longest may be, the longest over both sides: so neither side is larger than this. */
  readonly maxTokens: number;
  readonly seed: number;
  readonly epoch: number;
  /** The pairs of the epoch, any number of times each (see `epochPairs`); default: all, once. */
  readonly indices?: Uint32Array | undefined;
}

export interface EpochBatches {
  /** Pair indices, a batch each, in the order of training. */
  readonly batches: readonly Uint32Array[];
  /** Pairs in no batch, since each is longer than maxTokens by itself; in rising order. */
  readonly leftOut: Uint32Array;
}

/** The lengths for `batchIndices` and `paddingShare`. */
export function pairLengths(pairs: PairSource): PairLengths {
  const source = new Int32Array(pairs.length);
  const target = new Int32Array(pairs.length);
  for (let i = 0; i < pairs.length; i++) {
    source[i] = pairs.sourceLength(i) + 1;
    target[i] = pairs.targetLength(i) + 1;
  }
  return { source, target };
}

/**
 * The pairs of an epoch in batches of at most `maxTokens` padded tokens on either side.
 * @throws HeedError if there are no pairs or each is longer than maxTokens
 */
export function batchIndices(lengths: PairLengths, options: BatchOptions): EpochBatches {
  const { maxTokens, seed, epoch } = options;
  const all = options.indices?.slice() ?? Uint32Array.from(lengths.source.keys());
  const longest = (index: number) => Math.max(lengths.source[index], lengths.target[index]);
  const fits = (index: number) => longest(index) <= maxTokens;
  const order = sortByLength(all.filter(fits), lengths, Random.of(seed, 'batches', epoch, 'sort'));
  if (order.length === 0) throw new HeedError('batches', nothingFits(all.length, maxTokens));

  const batches: Uint32Array[] = [];
  let start = 0;
  let width = 0;
  for (let i = 0; i < order.length; i++) {
    width = Math.max(width, longest(order[i]));
    if ((i + 1 - start) * width > maxTokens) {
      batches.push(order.subarray(start, i));
      start = i;
      width = longest(order[i]);
    }
  }
  batches.push(order.subarray(start));
  const leftOut = all.filter((index) => !fits(index)).sort();
  return { batches: Random.of(seed, 'batches', epoch, 'order').shuffle(batches), leftOut };
}

/**
 * Pairs by the length of one side, then of the other: rising for one length of the first, falling for the next, so that
 * the neighbours of a pair are like it on both sides wherever a batch begins and ends. Which side is first, which
 * lengths rise and the order of equals are drawn again in each epoch, so that batches differ.
 *
 * Two counting sorts, the lesser key first, over a shuffled list: millions of pairs take about a second, where a sort by
 * comparison takes ten.
 */
function sortByLength(indices: Uint32Array, { source, target }: PairLengths, random: Random): Uint32Array {
  const [first, second] = random.integer(2) === 0 ? [target, source] : [source, target];
  const rising = random.integer(2);
  const longest = indices.reduce((most, index) => Math.max(most, second[index]), 0);
  const shuffled = random.shuffle(indices);
  const bySecond = countingSort(shuffled, (index) =>
    first[index] % 2 === rising ? second[index] : longest - second[index],
  );
  return countingSort(bySecond, (index) => first[index]);
}

/** The indices by their keys, small whole numbers; those of equal key stay in order. */
function countingSort(indices: Uint32Array, keyOf: (index: number) => number): Uint32Array {
  const keys = indices.map(keyOf);
  const largest = keys.reduce((most, key) => Math.max(most, key), 0);
  /** Where the next index of each key goes. */
  const places = new Uint32Array(largest + 2);
  for (const key of keys) places[key + 1]++;
  for (let key = 1; key < places.length; key++) places[key] += places[key - 1];
  const sorted = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i++) sorted[places[keys[i]]++] = indices[i];
  return sorted;
}

function nothingFits(count: number, maxTokens: number): string {
  return count === 0
    ? 'there must be at least one pair, got none.'
    : `maxTokens must hold at least one pair, got ${maxTokens}, but all ${count} pairs are longer; raise maxTokens.`;
}

/** The share of padding in batches, both sides counted: 1 − real tokens / tokens with padding. */
export function paddingShare(batches: Iterable<Uint32Array>, lengths: PairLengths): number {
  let real = 0;
  let padded = 0;
  for (const batch of batches) {
    for (const side of [lengths.source, lengths.target]) {
      let longest = 0;
      for (const index of batch) {
        real += side[index];
        longest = Math.max(longest, side[index]);
      }
      padded += longest * batch.length;
    }
  }
  return padded === 0 ? 0 : 1 - real / padded;
}
