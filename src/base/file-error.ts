// Error messages for errors of the file system.

import { HeedError } from './error.ts';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; check who owns it',
  EBUSY: 'it is in use by another program',
  EDQUOT: 'the disk quota is used up; free some space',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder, not a file',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full; free some space',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
};

/**
 * An error of the file system that names the path; anything else, which would be a bug, as it is.
 * `fileError('m/config.json', 'cannot be written', cause)`: m/config.json: cannot be written: the disk is full … (ENOSPC).
 */
export function fileError(path: string, problem: string, cause: unknown): unknown {
  const code = errorCode(cause);
  if (code === undefined) return cause;
  return new HeedError(path, `${problem}: ${reasons[code] ?? 'the system refuses it'} (${code}).`, { cause });
}

/** The operating system's error code, such as `ENOSPC`; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined;
}
