// Batches: groups sequences of similar length, and pads sequences to a rectangle.

import type { Values } from '../runtime/index.ts';

export interface Sized {
  /** Its index among the given items. */
  readonly place: number;
  /** Tokens. */
  readonly length: number;
}

/** Groups items of similar length, each batch at most `batchTokens` with padding; a longer item is a batch of its own. */
export function batchesByLength<T extends Sized>(items: readonly T[], batchTokens: number): T[][] {
  const batches: T[][] = [];
  for (const item of items.toSorted((a, b) => b.length - a.length || a.place - b.place)) {
    const batch = batches.at(-1);
    // The first item of a batch is its longest.
    if (batch !== undefined && (batch.length + 1) * batch[0].length <= batchTokens) batch.push(item);
    else batches.push([item]);
  }
  return batches;
}

/** [rows, length], each row padded with `padId`. @param length default: that of the longest */
export function padded(sequences: readonly ArrayLike<number>[], padId: number, length = longestOf(sequences)): Values {
  const data = new Int32Array(sequences.length * length).fill(padId);
  sequences.forEach((sequence, row) => {
    data.set(sequence, row * length);
  });
  return { shape: [sequences.length, length], data };
}

export function longestOf(sequences: readonly ArrayLike<number>[]): number {
  return Math.max(...sequences.map((sequence) => sequence.length));
}
