// The batches of each epoch, from pair indices to the rectangles of a step. All of it is a function of the seed, the epoch
// and the step.

import {
  type Augment,
  type Batch,
  batchIndices,
  type ControlIds,
  type CorpusPart,
  collate,
  type EncodedPair,
  epochPairs,
  type PairLengths,
  type PairSource,
  paddingShare,
  pairLengths,
} from '../data/index.ts';

export interface BatchSourceSetup {
  readonly pairs: PairSource;
  /** Of what corpora the pairs are, in order; default: all pairs come once an epoch. */
  readonly corpora?: readonly CorpusPart[] | undefined;
  /** Makes pairs anew each time they are learned from; default: they stay as they are. */
  readonly augment?: Augment | undefined;
  readonly ids: { readonly source: ControlIds; readonly target: ControlIds };
  /** The most that rows × longest of a batch may be, the longest over both sides. */
  readonly maxTokens: number;
  readonly seed: number;
}

export interface Epoch {
  /** Pair indices, a batch each, in the order of training. */
  readonly batches: readonly Uint32Array[];
  /** Pairs that are longer than maxTokens by themselves. */
  readonly leftOut: number;
}

export class BatchSource {
  readonly lengths: PairLengths;
  private last: { number: number; epoch: Epoch } | undefined;

  constructor(private readonly setup: BatchSourceSetup) {
    this.lengths = pairLengths(setup.pairs);
  }

  /** @param number from 1 */
  epoch(number: number): Epoch {
    if (this.last?.number !== number) {
      const { corpora, maxTokens, seed } = this.setup;
      const isWeighted = corpora?.some(({ weight }) => weight !== undefined) ?? false;
      const indices = isWeighted && corpora ? epochPairs(corpora, { seed, epoch: number }) : undefined;
      const { batches, leftOut } = batchIndices(this.lengths, { maxTokens, seed, epoch: number, indices });
      this.last = { number, epoch: { batches, leftOut: leftOut.length } };
    }
    return this.last.epoch;
  }

  /** The share of an epoch's tokens, both sides counted, that only pad. */
  padding(number: number): number {
    return paddingShare(this.epoch(number).batches, this.lengths);
  }

  /** Target tokens of an epoch. */
  targetTokens(number: number): number {
    const { target } = this.lengths;
    return this.epoch(number).batches.reduce(
      (sum, batch) => batch.reduce((part, index) => part + target[index], sum),
      0,
    );
  }

  /** The pairs of a batch for a step; several batches if pairs made anew have become too long for one. */
  read(indices: Uint32Array, step: number): Batch[] {
    const { pairs, augment, ids, maxTokens } = this.setup;
    const made = Array.from(indices, (index) => {
      const pair = pairs.pair(index);
      const anew = augment?.(pair, { step, index }) ?? pair;
      return widthOf([anew]) > maxTokens ? pair : anew;
    });
    return split(made, maxTokens).map((part) => collate(part, ids));
  }
}

/** Runs of pairs of like number, each of which fits. */
function split(pairs: readonly EncodedPair[], maxTokens: number): EncodedPair[][] {
  const rows = Math.max(1, Math.floor(maxTokens / widthOf(pairs)));
  const parts = Math.ceil(pairs.length / rows);
  const even = Math.ceil(pairs.length / parts);
  return Array.from({ length: parts }, (_, part) => pairs.slice(part * even, (part + 1) * even)).filter(
    (part) => part.length > 0,
  );
}

/** Tokens of the longest side. */
function widthOf(pairs: readonly EncodedPair[]): number {
  return 1 + pairs.reduce((longest, { source, target }) => Math.max(longest, source.length, target.length), 0);
}
