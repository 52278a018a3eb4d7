// A corpus encoded once, on disk, read pair by pair: training on it takes 4 bytes of memory a pair, whatever the text.
//   ids.bin       the ids of each pair, source then target, end to end, in 16 bits each (32 for large vocabularies)
//   lengths.bin   pieces of each source, then of each target, 16 bits each
//   cache.json    what the other two hold; written last, so that a folder without it is one whose making was cut short
// A cache is made and read on one machine: numbers have its byte order. Two processes must not make the same one at once.

import { closeSync, openSync, readSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { HeedError } from '../base/error.ts';
import { errorCode, fileError } from '../base/file-error.ts';
import type { CleanReport } from './clean.ts';
import type { EncodedPair, PairSink, PairSource } from './pairs.ts';

/** Increased whenever an older heed would misread the format; part of a cache's name. */
export const cacheVersion = 1;

/** The longest side that a cache can hold, in pieces. */
export const maxCachedLength = 65_535;

const idsName = 'ids.bin';
const lengthsName = 'lengths.bin';
const sealName = 'cache.json';
const flushBytes = 1 << 20;

interface Seal {
  readonly version: number;
  readonly pairs: number;
  readonly ids: number;
  readonly bytesPerId: 2 | 4;
  /** What was read and dropped, for each corpus. */
  readonly reports: readonly CleanReport[];
}

export interface CachedCorpora {
  readonly pairs: CachedPairs;
  readonly reports: readonly CleanReport[];
}

/** The cache in a folder; undefined if there is none or it is incomplete. */
export async function openCache(folder: string): Promise<CachedCorpora | undefined> {
  const seal = await readSeal(folder);
  if (seal === undefined) return undefined;
  try {
    const bytes = await readFile(`${folder}/${lengthsName}`);
    const lengths = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
    if (lengths.length !== 2 * seal.pairs) return undefined;
    const pairs = new CachedPairs(`${folder}/${idsName}`, lengths, seal.bytesPerId);
    return pairs.ids === seal.ids ? { pairs, reports: seal.reports } : undefined;
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined;
    throw fileError(folder, 'cannot be read', cause);
  }
}

async function readSeal(folder: string): Promise<Seal | undefined> {
  try {
    const seal: Seal = JSON.parse(await readFile(`${folder}/${sealName}`, 'utf8'));
    return seal.version === cacheVersion ? seal : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Makes a cache folder, in place of what is there; the folder above it must be there.
 * @param vocabularySize of the larger vocabulary @param fill appends the pairs and reports on each corpus
 * @throws HeedError if a file cannot be written; then the folder is removed, so that it does not fill the disk
 */
export async function makeCache(
  folder: string,
  vocabularySize: number,
  fill: (sink: PairSink) => Promise<readonly CleanReport[]>,
): Promise<CachedCorpora> {
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    const writer = await CacheWriter.open(folder, vocabularySize <= 65_536 ? 2 : 4);
    await writer.finish(await fill(writer).finally(() => writer.close()));
  } catch (cause) {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    throw fileError(folder, 'cannot be written', cause);
  }
  const made = await openCache(folder);
  if (made === undefined) throw new HeedError(folder, 'was written but cannot be read back; check the disk.');
  return made;
}

class CacheWriter implements PairSink {
  private readonly buffer: Uint16Array | Uint32Array;
  private used = 0;
  private ids = 0;
  private pairs = 0;
  private lengths = new Uint16Array(2048);

  private constructor(
    private readonly folder: string,
    private readonly file: FileHandle,
    private readonly bytesPerId: 2 | 4,
  ) {
    const size = flushBytes / bytesPerId + 2 * maxCachedLength;
    this.buffer = bytesPerId === 2 ? new Uint16Array(size) : new Uint32Array(size);
  }

  static async open(folder: string, bytesPerId: 2 | 4): Promise<CacheWriter> {
    return new CacheWriter(folder, await open(`${folder}/${idsName}`, 'w'), bytesPerId);
  }

  append({ source, target }: EncodedPair): void | Promise<void> {
    if (2 * this.pairs === this.lengths.length) {
      const larger = new Uint16Array(2 * this.lengths.length);
      larger.set(this.lengths);
      this.lengths = larger;
    }
    this.lengths[2 * this.pairs] = source.length;
    this.lengths[2 * this.pairs + 1] = target.length;
    this.pairs++;
    for (const side of [source, target]) {
      this.buffer.set(side, this.used);
      this.used += side.length;
    }
    if (this.used * this.bytesPerId >= flushBytes) return this.flush();
  }

  /** Writes the rest; the files are on the disk before the seal says that they are whole. */
  async finish(reports: readonly CleanReport[]): Promise<void> {
    const { folder, pairs, ids, bytesPerId } = this;
    const lengths = new Uint16Array(2 * pairs);
    for (let i = 0; i < pairs; i++) {
      lengths[i] = this.lengths[2 * i];
      lengths[pairs + i] = this.lengths[2 * i + 1];
    }
    await writeFile(`${folder}/${lengthsName}`, lengths, { flush: true });
    const seal: Seal = { version: cacheVersion, pairs, ids, bytesPerId, reports };
    await writeFile(`${folder}/${sealName}.partial`, JSON.stringify(seal), { flush: true });
    await rename(`${folder}/${sealName}.partial`, `${folder}/${sealName}`);
  }

  async close(): Promise<void> {
    try {
      await this.flush();
      await this.file.sync();
    } finally {
      await this.file.close();
    }
  }

  private async flush(): Promise<void> {
    const { buffer, byteOffset } = this.buffer;
    await this.file.appendFile(new Uint8Array(buffer, byteOffset, this.used * this.bytesPerId));
    this.ids += this.used;
    this.used = 0;
  }
}

/** Pairs whose place in the file is found by adding lengths up from the nearest known place, at most 256 pairs away. */
const pairsPerPlace = 256;

/** The pairs of a cache. The file stays open for as long as the process lives, or until `close`. */
export class CachedPairs implements PairSource {
  readonly length: number;
  /** The number of ids in the file. */
  readonly ids: number;
  private readonly file: number;
  /** Ids before pair 0, 256, 512, … */
  private readonly places: Float64Array;
  private readonly buffer: Uint16Array | Uint32Array;

  constructor(
    path: string,
    /** Of all sources, then of all targets. */
    private readonly lengths: Uint16Array,
    private readonly bytesPerId: 2 | 4,
  ) {
    this.length = lengths.length / 2;
    this.places = new Float64Array(Math.ceil(this.length / pairsPerPlace));
    let ids = 0;
    for (let i = 0; i < this.length; i++) {
      if (i % pairsPerPlace === 0) this.places[i / pairsPerPlace] = ids;
      ids += lengths[i] + lengths[this.length + i];
    }
    this.ids = ids;
    this.buffer = bytesPerId === 2 ? new Uint16Array(2 * maxCachedLength) : new Uint32Array(2 * maxCachedLength);
    this.file = openSync(path, 'r');
  }

  sourceLength(index: number): number {
    return this.lengths[index];
  }

  targetLength(index: number): number {
    return this.lengths[this.length + index];
  }

  pair(index: number): EncodedPair {
    if (!(index >= 0 && index < this.length)) throw new RangeError(`no pair ${index} among ${this.length}`);
    const [sourceLength, targetLength] = [this.sourceLength(index), this.targetLength(index)];
    const bytes = (sourceLength + targetLength) * this.bytesPerId;
    const read = readSync(this.file, this.buffer, 0, bytes, this.placeOf(index) * this.bytesPerId);
    if (read < bytes) throw new HeedError('cache', `pair ${index} is cut off; remove the cache folder and go on.`);
    return {
      source: Int32Array.from(this.buffer.subarray(0, sourceLength)),
      target: Int32Array.from(this.buffer.subarray(sourceLength, sourceLength + targetLength)),
    };
  }

  close(): void {
    closeSync(this.file);
  }

  private placeOf(index: number): number {
    const known = Math.floor(index / pairsPerPlace);
    let place = this.places[known];
    for (let i = known * pairsPerPlace; i < index; i++) place += this.lengths[i] + this.lengths[this.length + i];
    return place;
  }
}
