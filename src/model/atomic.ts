// Atomic writes: a file is written under a temporary name in the same folder, flushed, then renamed. At any moment, after kill -9
// and loss of power, too, a reader sees the complete old or new content.

import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, fileError } from '../base/file-error.ts';

/** Temporary files, such as `.config.json.5f3a9c01.partial`. */
const partialName = /^\..+\.[0-9a-f]{8}\.partial$/;

/**
 * Replaces a file, or creates it, in one step. A symbolic link is replaced, not followed.
 * @throws HeedError if it cannot be written (no space, no permission, no such folder, …); then nothing has changed
 */
export async function writeFileAtomically(path: string, data: string | Uint8Array): Promise<void> {
  const partial = await writePartial(path, data);
  try {
    await rename(partial, path);
    await flushFolder(dirname(path));
  } catch (cause) {
    await discard(partial);
    throw fileError(path, 'cannot be written', cause);
  }
}

export interface FileChanges {
  /** Names and new contents, including the seal. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** The file without which the folder is invalid. It is renamed last. */
  readonly seal: string;
  /** Whether old and new files do not fit together. The seal is then removed before the first file changes. */
  readonly breaking: boolean;
  /** Names of files to remove. */
  readonly obsolete: readonly string[];
}

/**
 * Changes several files of a folder such that no reader ever accepts a mixture of old and new ones.
 *
 * All new contents are on the disk under temporary names before anything changes, so that a full disk leaves the old
 * files as they were. Then come only renames, which take microseconds. A kill between two of them leaves old and new
 * files that go together or, if `breaking`, a folder without its seal. (Renaming a whole new folder into place would
 * have such a window too, and fails where the folder is a mount point or holds other files.)
 * @throws HeedError naming the file that cannot be written
 */
export async function changeFiles(folder: string, changes: FileChanges): Promise<void> {
  const partials = new Map<string, string>();
  try {
    for (const [name, data] of changes.files) partials.set(name, await writePartial(join(folder, name), data));
    await putInPlace(folder, partials, changes);
  } catch (cause) {
    for (const partial of partials.values()) await discard(partial);
    throw fileError(folder, 'cannot be changed', cause);
  }
}

async function putInPlace(folder: string, partials: ReadonlyMap<string, string>, changes: FileChanges): Promise<void> {
  const { seal, breaking, obsolete } = changes;
  // Each flush stands between steps whose order counts: a loss of power may reorder what was not flushed in between.
  if (breaking) {
    await rm(join(folder, seal), { force: true });
    await flushFolder(folder);
  }
  for (const name of obsolete) await rm(join(folder, name), { force: true });
  for (const [name, partial] of partials) if (name !== seal) await rename(partial, join(folder, name));
  await flushFolder(folder);
  await rename(partials.get(seal)!, join(folder, seal));
  await flushFolder(folder);
}

/** Removes the temporary files that killed processes left in a folder; no two processes may write to it at once. */
export async function removePartials(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (partialName.test(name)) await rm(join(folder, name), { force: true });
  }
}

/** Flushes the names in a folder, if the system supports it: Windows and some network disks do not. */
async function flushFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (!['EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'].includes(errorCode(cause) ?? '')) throw cause;
  }
}

/** Writes and flushes a temporary file beside `path` and returns its name; leaves none behind if that fails. */
async function writePartial(path: string, data: string | Uint8Array): Promise<string> {
  const partial = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.partial`);
  try {
    const handle = await open(partial, 'wx');
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    await discard(partial);
    throw fileError(path, 'cannot be written', cause);
  }
  return partial;
}

/** Removes a temporary file after a failure; errors are ignored, since the first failure is reported. */
async function discard(partial: string): Promise<void> {
  await rm(partial, { force: true }).catch(() => undefined);
}
