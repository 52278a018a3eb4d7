// Parallel text from two files, line i of one with line i of the other, streamed: the memory used does not grow with
// the files. Names that end in .gz are unpacked on the way.

import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { HeedError } from '../base/error.ts';
import { readLines } from '../text/index.ts';
import type { NumberedPair } from './pairs.ts';

/**
 * The lines of a UTF-8 file, plain or .gz; what ends a line is said in text/lines.ts.
 * @throws HeedError if the file is missing, unreadable, a directory, damaged, or without a line
 */
export async function* readTextFile(path: string): AsyncGenerator<string> {
  let empty = true;
  try {
    for await (const line of readLines(openBytes(path))) {
      empty = false;
      yield line;
    }
  } catch (cause) {
    throw new HeedError(path, reasonOf(cause), { cause });
  }
  if (empty) throw new HeedError(path, 'the file must have at least one line, got an empty file.');
}

/**
 * A UTF-8 file, plain or .gz, as it is: with its line breaks, without a byte-order mark at its start. A chunk never ends inside a
 * character.
 * @throws HeedError if the file is missing, unreadable, a directory, damaged or empty
 */
export async function* readTextChunks(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let empty = true;
  try {
    for await (const bytes of openBytes(path)) {
      empty = false;
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  } catch (cause) {
    throw new HeedError(path, reasonOf(cause), { cause });
  }
  if (empty) throw new HeedError(path, 'must have at least one character, got an empty file.');
}

function openBytes(path: string): AsyncIterable<Uint8Array> {
  const file = createReadStream(path);
  // Unlike pipe, pipeline hands an error of the file on to whoever reads, and closes the file when he stops early.
  return path.endsWith('.gz') ? pipeline(file, createGunzip(), () => {}) : file;
}

/** Error messages for files. */
export function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ENOENT') return 'no such file; check the path.';
  if (code === 'EISDIR') return 'must be a file, got a directory.';
  if (code === 'EACCES' || code === 'EPERM') return 'permission to read the file was refused.';
  if (code.startsWith('Z_'))
    return `must be a whole gzip file as its name says, but unpacking failed (${messageOf(cause)}).`;
  return `the file could not be read (${messageOf(cause)}).`;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * The pairs of two files in order, blank lines included.
 * @throws HeedError if a file cannot be read (see `readTextFile`) or, after the last pair, if one has more lines
 */
export async function* readPairs(files: {
  readonly source: string;
  readonly target: string;
}): AsyncGenerator<NumberedPair> {
  const sources = readTextFile(files.source);
  const targets = readTextFile(files.target);
  try {
    for (let line = 1; ; line++) {
      const source = await sources.next();
      const target = await targets.next();
      if (source.done && target.done) return;
      if (source.done || target.done) {
        const sourceCount = source.done ? line - 1 : line + (await countRest(sources));
        const targetCount = target.done ? line - 1 : line + (await countRest(targets));
        throw new HeedError(
          files.target,
          `must have as many lines as ${files.source}, since line i of one translates line i of the other, ` +
            `got ${targetCount} and ${sourceCount}; look for a lost or split line.`,
        );
      }
      yield { line, source: source.value, target: target.value };
    }
  } finally {
    await sources.return(undefined);
    await targets.return(undefined);
  }
}

async function countRest(lines: AsyncGenerator<string>): Promise<number> {
  let count = 0;
  for await (const _ of lines) count++;
  return count;
}
