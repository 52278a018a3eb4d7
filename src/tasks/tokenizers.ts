// The tokenizers of a run: how they are learned, and how they are kept in its record and in caches.

import { z } from 'zod';
import { Tokenizer } from '../text/index.ts';

/** How a tokenizer is learned: options of every task with text. */
export const tokenizerOptions = z.strictObject({
  merges: z.int().min(0).default(10000).describe('Merges of byte-pair encoding to learn; 0: pieces are characters.'),
  split: z
    .enum(['categories', 'spaces'])
    .default('categories')
    .describe('Words end at spaces and between letters, digits and signs; or at spaces only, for tokenised text.'),
  lowercase: z.boolean().default(false).describe('Lower-case text before it is encoded (cannot be undone).'),
  normalization: z.enum(['none', 'nfc', 'nfkc']).default('none').describe('Unicode normalisation of text.'),
});

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
