// A corpus encoded and cleaned, pair by pair; and encoded pairs in memory: two typed arrays a side, ids end to end and
// where each sequence begins. 4 bytes a piece and 4 a sequence; an array of arrays would cost a hundred bytes a sequence more.

import { HeedError } from '../base/error.ts';
import { Cleaner, type CleanOptions, type CleanReport, describeDropped } from './clean.ts';
import type { EncodedPair, NumberedPair, PairSink, PairSource } from './pairs.ts';

/** Sequences of ids, appended one by one. */
class Sequences {
  private ids = new Int32Array(1024);
  /** Sequence i is ids[starts[i], starts[i + 1]). */
  private starts = new Uint32Array(128);
  length = 0;

  append(sequence: Int32Array): void {
    const start = this.starts[this.length];
    const end = start + sequence.length;
    if (end > this.ids.length) this.ids = grown(this.ids, new Int32Array(Math.max(end, 2 * this.ids.length)));
    if (this.length + 1 === this.starts.length) this.starts = grown(this.starts, new Uint32Array(2 * this.length + 2));
    this.ids.set(sequence, start);
    this.length++;
    this.starts[this.length] = end;
  }

  at(index: number): Int32Array {
    if (!(index >= 0 && index < this.length)) throw new RangeError(`no sequence ${index} among ${this.length}`);
    return this.ids.subarray(this.starts[index], this.starts[index + 1]);
  }
}

function grown<T extends Int32Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** A store of encoded pairs that grows at its end. */
export class EncodedPairs implements PairSource, PairSink {
  private readonly sources = new Sequences();
  private readonly targets = new Sequences();

  get length(): number {
    return this.targets.length;
  }

  append({ source, target }: EncodedPair): void {
    this.sources.append(source);
    this.targets.append(target);
  }

  sourceLength(index: number): number {
    return this.sources.at(index).length;
  }

  targetLength(index: number): number {
    return this.targets.at(index).length;
  }

  pair(index: number): EncodedPair {
    return { source: this.sources.at(index), target: this.targets.at(index) };
  }
}

export interface EncodePairsOptions {
  /** A text as piece ids, without start and end. */
  readonly encodeSource: (text: string) => Int32Array;
  readonly encodeTarget: (text: string) => Int32Array;
  /** A control token put before each source, such as the one that names the target language; not counted by `clean`. */
  readonly tagId?: number | undefined;
  /** What to drop on the way; see `CleanOptions` for the defaults. */
  readonly clean?: CleanOptions;
}

/**
 * Encodes and cleans a stream of pairs, in their order; one pair at a time is held.
 * @throws HeedError if no pair is left; it says what was dropped
 */
export async function encodePairs(
  pairs: AsyncIterable<NumberedPair> | Iterable<NumberedPair>,
  sink: PairSink,
  { encodeSource, encodeTarget, tagId, clean }: EncodePairsOptions,
): Promise<CleanReport> {
  const cleaner = new Cleaner(clean);
  for await (const pair of pairs) {
    const source = encodeSource(pair.source);
    const target = encodeTarget(pair.target);
    if (!cleaner.keeps(pair, source.length, target.length)) continue;
    const done = sink.append({ source: tagId === undefined ? source : Int32Array.of(tagId, ...source), target });
    if (done !== undefined) await done;
  }
  const report = cleaner.report();
  if (report.kept === 0) throw new HeedError('corpus', nothingLeft(report));
  return report;
}

function nothingLeft(report: CleanReport): string {
  if (report.read === 0) return 'there must be at least one pair, got none.';
  const reasons = describeDropped(report).join('; ');
  return (
    `at least one pair must be fit for training, got none of ${report.read}: ${reasons}. ` +
    'Mend the files, or raise maxLength and maxRatio.'
  );
}
