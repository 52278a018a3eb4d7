// SHA-256 of texts and files, which identifies the data of a run and of a cache.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { HeedError } from '../base/error.ts';
import { reasonOf } from './corpus.ts';

/** In lower-case hexadecimal. */
export function textHash(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  // The length before each text keeps ('ab', 'c') apart from ('a', 'bc').
  for (const text of texts) hash.update(`${text.length}:`).update(text);
  return hash.digest('hex');
}

/**
 * The hash of a file's bytes as they are, packed or not.
 * @throws HeedError if it cannot be read
 */
export async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  } catch (cause) {
    throw new HeedError(path, reasonOf(cause), { cause });
  }
  return hash.digest('hex');
}
