// The output of a command: standard output or a file. Writes wait for slow readers.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { HeedError } from '../../base/error.ts';

export interface Output {
  write(text: string): Promise<void>;
}

/**
 * Runs the work, then closes the file. An output that fails ends the work at once.
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

/** A model may generate a line break, which must not add a line to the output. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, ' ');
}

/** A number rounded to 6 decimals, for JSON records. */
export function rounded(value: number): number {
  return Number(value.toFixed(6));
}
