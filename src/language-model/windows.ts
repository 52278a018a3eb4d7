// Windows of a token stream: what a language model reads at a time, and which tokens it should predict.

import type { Values } from '../runtime/index.ts';
import type { TokenStream } from './token-stream.ts';

/** A window a row; `context` tokens each. */
export interface WindowBatch {
  /** int32 [windows, context], padded where the stream ends. */
  readonly target: Values;
  /** The successor of each token, int32 [windows, context]. Padding where there is none, or where it is START. */
  readonly expected: Values;
  /** Expected tokens without padding. */
  readonly targetTokens: number;
}

/** The windows that begin at the given places. No model has to predict START: where a document begins is given. */
export function windowBatch(stream: TokenStream, starts: ArrayLike<number>, context: number): WindowBatch {
  const { padId, startId } = stream.tokenizer;
  const shape = [starts.length, context];
  const target = new Int32Array(starts.length * context).fill(padId);
  const expected = target.slice();
  let targetTokens = 0;
  for (let row = 0; row < starts.length; row++) {
    const ids = stream.part(starts[row], starts[row] + context + 1);
    for (let i = 0; i + 1 < ids.length; i++) {
      target[row * context + i] = ids[i];
      if (ids[i + 1] === startId) continue;
      expected[row * context + i] = ids[i + 1];
      targetTokens++;
    }
  }
  return { target: { shape, data: target }, expected: { shape, data: expected }, targetTokens };
}

/** Windows that do not overlap, from the start of a stream to its end: each token is predicted once. */
export function* consecutiveWindows(
  stream: TokenStream,
  { context, batchTokens }: { readonly context: number; readonly batchTokens: number },
): Generator<WindowBatch> {
  const rows = Math.max(1, Math.floor(batchTokens / context));
  const windows = Math.ceil((stream.length - 1) / context);
  for (let first = 0; first < windows; first += rows) {
    const starts = Array.from({ length: Math.min(rows, windows - first) }, (_, row) => (first + row) * context);
    yield windowBatch(stream, starts, context);
  }
}
