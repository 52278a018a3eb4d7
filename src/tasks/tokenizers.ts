// The tokenizers of a run, as they are kept in its record and in caches.

import { Tokenizer } from '../text/index.ts';

export interface Tokenizers {
  /** A task without a source has its one tokenizer on both sides. */
  readonly source: Tokenizer;
  /** The same object as `source` where both sides share one. */
  readonly target: Tokenizer;
}

/** What `parseTokenizers` reads. */
export function formatTokenizers({ source, target }: Tokenizers): object {
  return source === target ? { joint: source } : { source, target };
}

/** @param place the file's name, for error messages @throws HeedError if a tokenizer is missing or damaged */
export function parseTokenizers(
  { joint, source, target }: { readonly joint?: unknown; readonly source?: unknown; readonly target?: unknown },
  place: string,
): Tokenizers {
  const read = (tokenizer: unknown) => Tokenizer.fromJSON(JSON.stringify(tokenizer ?? {}), place);
  if (joint === undefined) return { source: read(source), target: read(target) };
  const shared = read(joint);
  return { source: shared, target: shared };
}
