// An append-only log of JSON lines. A resumed run truncates it to the length in its saved state.

import { mkdir, open, stat, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, fileError } from '../base/file-error.ts';

/** Truncates a file to its first bytes; no effect if it does not exist. */
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
