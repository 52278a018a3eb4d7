// The few things others ask of a folder: its names, a file's bytes, a file gone.

import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { errorCode, fileError } from './file-error.ts';

/** Names in a folder, sorted; none if it is not there. */
export async function listFolder(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return [];
    throw fileError(path, 'cannot be read', cause);
  }
}

/** A file's bytes; undefined if it is not there. */
export async function readFileIfAny(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined;
    throw fileError(path, 'cannot be read', cause);
  }
}

export async function removeFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (cause) {
    throw fileError(path, 'cannot be removed', cause);
  }
}

export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (cause) {
    throw fileError(path, 'cannot be made', cause);
  }
}
