// The records of a JSON Lines file that another process writes. It mostly grows; a resumed run truncates it, and a new
// run in the same folder replaces it. The file is polled, which works on every file system.

import { type FileHandle, open } from 'node:fs/promises';
import { errorCode, fileError } from '../../base/file-error.ts';

/** Bytes read at once: parsing them blocks the server for some milliseconds. */
const chunkBytes = 2 ** 20;

const newline = 10;

export class GrowingLog<Item> {
  /** In the order of their lines. */
  records: Item[] = [];
  /** How often the file was truncated or replaced; each time `records` begins anew. */
  generation = 0;
  /**
   * Bytes read, up to the end of a line, and the last of those lines: if that has changed, the file was truncated or
   * replaced.
   */
  private offset = 0;
  private lastLine = Buffer.alloc(0);
  /** Reads run one after the other. */
  private lastReading: Promise<void> = Promise.resolve();

  /** @param parse a line's record; undefined: the line is ignored */
  constructor(
    private readonly path: string,
    private readonly parse: (line: string) => Item | undefined,
  ) {}

  /** Reads all new lines. A missing file counts as empty. @throws HeedError if the file cannot be read */
  refresh(): Promise<void> {
    const reading = this.lastReading.then(() => this.readOn());
    this.lastReading = reading.catch(() => undefined);
    return reading;
  }

  private async readOn(): Promise<void> {
    try {
      const file = await open(this.path);
      try {
        if (!(await this.isContinued(file))) this.beginAnew();
        await this.readLines(file);
      } finally {
        await file.close();
      }
    } catch (cause) {
      if (errorCode(cause) !== 'ENOENT') throw fileError(this.path, 'cannot be read', cause);
      if (this.offset > 0) this.beginAnew();
    }
  }

  /** Whether the last line that was read is still at its place. */
  private async isContinued(file: FileHandle): Promise<boolean> {
    const start = this.offset - this.lastLine.length;
    return (await bytesAt(file, start, this.lastLine.length)).equals(this.lastLine);
  }

  private beginAnew(): void {
    this.records = [];
    this.generation++;
    this.offset = 0;
    this.lastLine = Buffer.alloc(0);
  }

  /** Reads all complete lines; the text after the last line break is still being written. */
  private async readLines(file: FileHandle): Promise<void> {
    const { size } = await file.stat();
    for (let length = chunkBytes; this.offset < size; ) {
      const bytes = await bytesAt(file, this.offset, Math.min(length, size - this.offset));
      const end = bytes.lastIndexOf(newline) + 1;
      if (end > 0) this.take(bytes.subarray(0, end));
      else if (bytes.length < length) return;
      else length *= 2; // a line longer than a chunk
    }
  }

  private take(lines: Buffer): void {
    for (const line of lines.toString('utf8', 0, lines.length - 1).split('\n')) {
      const record = this.parse(line);
      if (record !== undefined) this.records.push(record);
    }
    this.offset += lines.length;
    this.lastLine = Buffer.from(lines.subarray(lines.lastIndexOf(newline, -2) + 1));
  }
}

/** Up to `length` bytes; fewer at the end of the file. */
async function bytesAt(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
