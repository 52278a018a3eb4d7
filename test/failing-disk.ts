// A file system that fails on command: at its n-th operation only, as a full disk does, or from then on, as if the
// process were killed there and cleaned nothing up. For `vi.mock('node:fs/promises', …)`; reading never fails.

import type { FileHandle } from 'node:fs/promises';

type FileSystem = typeof import('node:fs/promises');

class Disk {
  /** What was done since `failAt` or `killAt`, in order. */
  operations: string[] = [];
  private failure: (index: number) => Error | undefined = () => undefined;

  /** The n-th operation from now, counted from 0, fails with the code; without a code, with another kind of error. */
  failAt(n: number, code: string | undefined): void {
    this.start((index) => (index === n ? errorOf(code) : undefined));
  }

  /** The n-th operation and all after it fail. */
  killAt(n: number): void {
    this.start((index) => (index >= n ? errorOf('EIO') : undefined));
  }

  repair(): void {
    this.start(() => undefined);
  }

  /** The error with which the operation that begins now must fail. */
  next(operation: string): Error | undefined {
    this.operations.push(operation);
    return this.failure(this.operations.length - 1);
  }

  private start(failure: (index: number) => Error | undefined): void {
    this.operations = [];
    this.failure = failure;
  }
}

/** The disk of the test file that uses it. */
export const disk = new Disk();

/** The same file system, each change of which asks `disk` first. */
export function failing(fileSystem: FileSystem): FileSystem {
  return {
    ...fileSystem,
    open: async (...parameters) => {
      throwIf(disk.next('open'));
      return failingHandle(await fileSystem.open(...parameters));
    },
    rename: async (...parameters) => {
      throwIf(disk.next('rename'));
      await fileSystem.rename(...parameters);
    },
    rm: async (...parameters) => {
      throwIf(disk.next('rm'));
      await fileSystem.rm(...parameters);
    },
  };
}

function failingHandle(handle: FileHandle): FileHandle {
  const { writeFile, sync, close } = handle;
  return Object.assign(handle, {
    async writeFile(data: string | Uint8Array) {
      const error = disk.next('write');
      const half = data.slice(0, data.length / 2);
      await writeFile.call(handle, error === undefined ? data : half);
      throwIf(error);
    },
    async sync() {
      throwIf(disk.next('sync'));
      await sync.call(handle);
    },
    async close() {
      const error = disk.next('close');
      await close.call(handle);
      throwIf(error);
    },
  });
}

function errorOf(code: string | undefined): Error {
  if (code === undefined) return new TypeError('a bug');
  return Object.assign(new Error(`${code}: refused by the test`), { code, syscall: 'any' });
}

function throwIf(error: Error | undefined): void {
  if (error !== undefined) throw error;
}
