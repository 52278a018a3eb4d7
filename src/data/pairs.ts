// What the rest of data/ speaks of: a pair of texts, a pair with its line number, and a store of encoded pairs.

/** One line of a parallel corpus: a text and its translation. */
export interface TextPair {
  readonly source: string;
  readonly target: string;
}

/** A pair read from files. `line` counts from 1, as editors do. */
export interface NumberedPair extends TextPair {
  readonly line: number;
}

/**
 * Encoded pairs by index, 0 ≤ index < length. The arrays hold pieces only, without start, end and padding; they are
 * views into the store and must not be written to.
 */
export interface PairSource {
  readonly length: number;
  source(index: number): Int32Array;
  target(index: number): Int32Array;
}
