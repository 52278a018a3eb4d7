// Where a command writes its lines: standard output or a file. Waits while the reader is slow.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { HeedError } from '../../base/error.ts';

export interface Output {
  write(text: string): Promise<void>;
}

/**
 * Runs the work and closes the file behind it. An output that fails ends the work at once.
 * @throws HeedError if the file cannot be written
 */
export async function withOutput(path: string, work: (output: Output) => Promise<void>): Promise<void> {
  const stream = path === '-' ? process.stdout : createWriteStream(path);
  const failed = new Promise<never>((_, reject) => {
    stream.once('error', (cause) => reject(new HeedError(path, `cannot be written: ${cause.message}`, { cause })));
  });
  const write = async (text: string) => {
    if (!stream.write(text)) await once(stream, 'drain');
  };
  const finish = async () => {
    await work({ write });
    if (stream === process.stdout) return;
    stream.end();
    await once(stream, 'finish');
  };
  await Promise.race([finish(), failed]);
}

/** A model may say a line break; the output must not gain lines by it. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, ' ');
}

/** A number as JSON records have it, to 6 decimals. */
export function rounded(value: number): number {
  return Number(value.toFixed(6));
}
