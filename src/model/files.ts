// Operations on files and folders, with errors that name the path.

import { mkdir, open, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, fileError } from '../base/file-error.ts';

const maxReadBytes = 2 ** 30;

/** Names in a folder, sorted; none if it does not exist. */
export async function listFolder(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return [];
    throw fileError(path, 'cannot be read', cause);
  }
}

/** A file's bytes; undefined if it does not exist. Node's readFile refuses files of 2 GiB and more. */
export async function readFileIfAny(path: string): Promise<Uint8Array | undefined> {
  try {
    const file = await open(path);
    try {
      const bytes = new Uint8Array((await file.stat()).size);
      for (let start = 0; start < bytes.length; ) {
        const { bytesRead } = await file.read(bytes, start, Math.min(bytes.length - start, maxReadBytes));
        if (bytesRead === 0) return bytes.slice(0, start);
        start += bytesRead;
      }
      return bytes;
    } finally {
      await file.close();
    }
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

/** Creates a folder and its parents, unless they exist. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeWithParents(path);
  } catch (cause) {
    throw fileError(path, 'cannot be made', cause);
  }
}

/** Node's own recursive mkdir reports a read-only disk as a missing folder. */
async function makeWithParents(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw cause;
    await makeWithParents(dirname(path));
    await makeWithParents(path);
  }
}

/** Removes a folder if it is empty and this is permitted. */
export async function removeEmptyFolder(path: string): Promise<void> {
  await rmdir(path).catch(() => undefined);
}
