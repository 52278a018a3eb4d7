// One copy of a model's weights for several worker threads. Who needs a program first has the engine make it ready, weights
// in the order in which its kernels read them, and write it to a file; everybody maps that file into memory. Beside the
// memory that saves speed: weights of its own for each thread do not fit into a processor's cache together.

import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Session, SessionOptions } from '../engine.ts';
import { supports } from '../onnxruntime.ts';
import { type Compile, compileWith } from '../program.ts';
import { nativeSession } from './session.ts';

/** What threads need to know of it; can be sent to them. */
export interface SharedPrograms {
  /** A folder of files that are of use for this process only. */
  readonly folder: string;
  /** One number, in memory that is shared: 1 while somebody writes a program, else 0. */
  readonly lock: Int32Array;
}

/** Constants of fewer bytes are kept within the program, in each thread. */
const LEAST_BYTES = 1024;

/** Folders that this process has to remove, however it ends. */
const folders = new Set<string>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A place for them; undefined where there is none, or where files that are mapped can't be removed. */
export function openSharedPrograms(): SharedPrograms | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    const folder = mkdtempSync(join(tmpdir(), 'heed-programs-'));
    if (folders.size === 0) watchForEnd();
    folders.add(folder);
    return { folder, lock: new Int32Array(new SharedArrayBuffer(4)) };
  } catch {
    return undefined; // there is no room for temporary files: each thread has its own copy
  }
}

/** Removes the files. Loaded programs continue to work; later ones are not shared. */
export function removeSharedPrograms({ folder }: Pick<SharedPrograms, 'folder'>): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
  if (folders.size > 0) return;
  process.removeListener('exit', removeAll);
  for (const signal of signals) process.removeListener(signal, endBySignal);
}

function watchForEnd(): void {
  process.once('exit', removeAll);
  // Before all others, which then are still there to be counted.
  for (const signal of signals) process.prependOnceListener(signal, endBySignal);
}

/** Unless somebody else listens to the signal, it does after this what it always does. */
function endBySignal(signal: NodeJS.Signals): void {
  removeAll();
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function removeAll(): void {
  for (const folder of folders) removeSharedPrograms({ folder });
}

/** Compiles for this machine's native kernels, and shares what it compiles. */
export function compileShared(programs: SharedPrograms): Compile {
  return compileWith({
    supports,
    async load(model: Uint8Array, options: SessionOptions): Promise<Session> {
      const file = join(programs.folder, `${nameOf(model, options)}.onnx`);
      const isThere = await alone(
        programs.lock,
        async () => existsSync(file) || (await isWritten(model, options, file)),
      );
      if (!isThere) return nativeSession(model, options);
      return nativeSession(file, options, { graphOptimizationLevel: 'disabled' }); // it is as it is to be
    },
  });
}

function nameOf(model: Uint8Array, { threads, restBetweenRuns, fewRows }: SessionOptions): string {
  return createHash('sha256').update(`${threads} ${restBetweenRuns} ${fewRows}`).update(model).digest('hex');
}

/** Whether it could be written. If not, this thread has a copy of its own; or fails again, and says why. */
async function isWritten(model: Uint8Array, options: SessionOptions, file: string): Promise<boolean> {
  const weights = `${file}.weights`;
  try {
    const session = await nativeSession(model, options, {
      optimizedModelFilePath: file,
      extra: {
        save_external_prepacked_constant_initializers: '1',
        optimized_model_external_initializers_file_name: basename(weights),
        optimized_model_external_initializers_min_size_in_bytes: `${LEAST_BYTES}`,
      },
    });
    await session.release();
    return true;
  } catch {
    for (const part of [file, weights]) rmSync(part, { force: true });
    return false;
  }
}

/** Does the work while nobody else does any under the same lock, in this thread or another. */
async function alone<T>(lock: Int32Array, work: () => Promise<T>): Promise<T> {
  while (Atomics.compareExchange(lock, 0, 0, 1) !== 0) await Atomics.waitAsync(lock, 0, 1).value;
  try {
    return await work();
  } finally {
    Atomics.store(lock, 0, 0);
    Atomics.notify(lock, 0, 1);
  }
}
