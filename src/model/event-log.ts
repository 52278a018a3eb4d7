// A log of JSON lines that only grows, save that a resumed run cuts off what its saved state does not know of.

import { mkdir, open, stat, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, fileError } from '../base/file-error.ts';

/** Cuts a file to its first bytes; one that is not there yet stays so. */
export async function truncateFile(path: string, bytes: number): Promise<void> {
  try {
    if ((await stat(path)).size > bytes) await truncate(path, bytes);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return;
    throw fileError(path, 'cannot be cut', cause);
  }
}

/** Appends a record as a line of JSON and returns the file's length in bytes. */
export async function appendJsonLine(path: string, record: unknown): Promise<number> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a');
    try {
      await file.appendFile(`${JSON.stringify(record)}\n`);
      await file.sync();
      return (await file.stat()).size;
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw fileError(path, 'cannot be written', cause);
  }
}
