// Pairs of sentences as the batches of a run.

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
} from '../../data/index.ts';
import type { Batches, Epoch, TrainingBatch } from '../../train/index.ts';

export interface PairBatchesSetup {
  readonly pairs: PairSource;
  /** The corpora that the pairs come from, in order; default: each pair comes once an epoch. */
  readonly corpora?: readonly CorpusPart[] | undefined;
  /** Changes a pair each time it is learned from; default: nothing does. */
  readonly augment?: Augment | undefined;
  readonly ids: { readonly source: ControlIds; readonly target: ControlIds };
  /** The most that rows × longest of a batch may be, the longest over both sides. */
  readonly maxTokens: number;
  readonly seed: number;
}

export class PairBatches implements Batches {
  readonly lengths: PairLengths;
  private last: { number: number; epoch: Epoch } | undefined;

  constructor(private readonly setup: PairBatchesSetup) {
    this.lengths = pairLengths(setup.pairs);
  }

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

  padding(number: number): number {
    return paddingShare(this.epoch(number).batches, this.lengths);
  }

  targetTokens(number: number): number {
    const { target } = this.lengths;
    return this.epoch(number).batches.reduce(
      (sum, batch) => batch.reduce((part, index) => part + target[index], sum),
      0,
    );
  }

  read(indices: Uint32Array, step: number): TrainingBatch[] {
    const { pairs, augment, ids, maxTokens } = this.setup;
    const made = Array.from(indices, (index) => {
      const pair = pairs.pair(index);
      const augmented = augment?.(pair, { step, index }) ?? pair;
      return widthOf([augmented]) > maxTokens ? pair : augmented;
    });
    return split(made, maxTokens).map((part) => pairBatch(collate(part, ids)));
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

/** A collated batch of pairs as the inputs of the translation graph. */
export function pairBatch(batch: Batch): TrainingBatch {
  const { rows, sourceLength, targetLength, source, decoderInput, expected, targetTokens } = batch;
  const target = [rows, targetLength];
  return {
    inputs: new Map([
      ['source', { shape: [rows, sourceLength], data: source }],
      ['target', { shape: target, data: decoderInput }],
    ]),
    expected: { shape: target, data: expected },
    targetTokens,
  };
}

/** Validation pairs: the same batches in the same order each time. */
export class ValidationPairs implements Iterable<TrainingBatch> {
  readonly lengths: PairLengths;

  constructor(private readonly setup: Pick<PairBatchesSetup, 'pairs' | 'ids' | 'maxTokens'>) {
    this.lengths = pairLengths(setup.pairs);
  }

  *[Symbol.iterator](): Generator<TrainingBatch> {
    const { pairs, ids, maxTokens } = this.setup;
    const { batches } = batchIndices(this.lengths, { maxTokens, seed: 0, epoch: 0 });
    for (const indices of batches) {
      const chosen = Array.from(indices, (index) => pairs.pair(index));
      yield pairBatch(collate(chosen, ids));
    }
  }
}
