// Collates encoded pairs to padded arrays for a training step: with END, shifted for teacher forcing.

import type { EncodedPair } from './pairs.ts';

/** The ids of a vocabulary that no text can produce; a Tokenizer is one. */
export interface ControlIds {
  readonly padId: number;
  readonly startId: number;
  readonly endId: number;
}

/** A batch; arrays of two dimensions lie row by row. Lengths count `</s>`, so that no row is empty. */
export interface Batch {
  readonly rows: number;
  readonly sourceLength: number;
  readonly targetLength: number;
  /** `x1 … xm </s>`, padded: [rows, sourceLength]. */
  readonly source: Int32Array;
  /** What the decoder reads, `<s> y1 … yn`, padded: [rows, targetLength]. */
  readonly decoderInput: Int32Array;
  /** What it must predict at each position, `y1 … yn </s>`, padded: [rows, targetLength]. */
  readonly expected: Int32Array;
  /** m + 1 of each row: [rows]. */
  readonly sourceLengths: Int32Array;
  /** n + 1 of each row: [rows]. */
  readonly targetLengths: Int32Array;
  /** The number of real expected tokens, the sum of targetLengths: what the loss is divided by. */
  readonly targetTokens: number;
}

/** The batch of some pairs, in their order. Each side is padded with its own vocabulary's id. */
export function collate(
  pairs: readonly EncodedPair[],
  ids: { readonly source: ControlIds; readonly target: ControlIds },
): Batch {
  const rows = pairs.length;
  const sourceLengths = Int32Array.from(pairs, ({ source }) => source.length + 1);
  const targetLengths = Int32Array.from(pairs, ({ target }) => target.length + 1);
  const sourceLength = sourceLengths.reduce((longest, length) => Math.max(longest, length), 0);
  const targetLength = targetLengths.reduce((longest, length) => Math.max(longest, length), 0);
  const source = new Int32Array(rows * sourceLength).fill(ids.source.padId);
  const decoderInput = new Int32Array(rows * targetLength).fill(ids.target.padId);
  const expected = new Int32Array(rows * targetLength).fill(ids.target.padId);
  for (let row = 0; row < rows; row++) {
    const { source: x, target: y } = pairs[row];
    source.set(x, row * sourceLength);
    source[row * sourceLength + x.length] = ids.source.endId;
    decoderInput[row * targetLength] = ids.target.startId;
    decoderInput.set(y, row * targetLength + 1);
    expected.set(y, row * targetLength);
    expected[row * targetLength + y.length] = ids.target.endId;
  }
  const targetTokens = targetLengths.reduce((sum, length) => sum + length, 0);
  return {
    rows,
    sourceLength,
    targetLength,
    source,
    decoderInput,
    expected,
    sourceLengths,
    targetLengths,
    targetTokens,
  };
}
