// Types of data/: a pair of texts, a pair with its line number, and stores of encoded pairs.

/** One line of a parallel corpus: a text and its translation. */
export interface TextPair {
  readonly source: string;
  readonly target: string;
}

/** A pair read from files. `line` counts from 1, as editors do. */
export interface NumberedPair extends TextPair {
  readonly line: number;
}

/** A pair as piece ids, without start, end and padding. The arrays may be views and must not be written to. */
export interface EncodedPair {
  readonly source: Int32Array;
  readonly target: Int32Array;
}

/** Encoded pairs by index, 0 ≤ index < length, in memory or on disk. */
export interface PairSource {
  readonly length: number;
  /** How many pieces a side has; asked of every pair in each epoch, hence answered from memory. */
  sourceLength(index: number): number;
  targetLength(index: number): number;
  pair(index: number): EncodedPair;
}

/** Receives encoded pairs one by one. */
export interface PairSink {
  append(pair: EncodedPair): void | Promise<void>;
}
