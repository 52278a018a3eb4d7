// Encoded pairs in memory: two typed arrays a side, ids end to end and where each sequence begins. 4 bytes a piece and
// 4 a sequence, whatever the corpus; an array of arrays would cost some hundred bytes a sequence more.

import { HeedError } from '../base/error.ts';
import { Cleaner, type CleanOptions, type CleanReport, describeDropped } from './clean.ts';
import type { NumberedPair, PairSource } from './pairs.ts';

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
export class EncodedPairs implements PairSource {
  private readonly sources = new Sequences();
  private readonly targets = new Sequences();

  get length(): number {
    return this.targets.length;
  }

  append(source: Int32Array, target: Int32Array): void {
    this.sources.append(source);
    this.targets.append(target);
  }

  source(index: number): Int32Array {
    return this.sources.at(index);
  }

  target(index: number): Int32Array {
    return this.targets.at(index);
  }
}

export interface EncodePairsOptions {
  /** A text as piece ids, without start and end. */
  readonly encodeSource: (text: string) => Int32Array;
  readonly encodeTarget: (text: string) => Int32Array;
  /** What to drop on the way; see `CleanOptions` for the defaults. */
  readonly clean?: CleanOptions;
}

/**
 * Encodes and cleans a stream of pairs into memory, in their order.
 * @throws HeedError if no pair is left; it says what was dropped
 */
export async function encodePairs(
  pairs: AsyncIterable<NumberedPair> | Iterable<NumberedPair>,
  options: EncodePairsOptions,
): Promise<{ pairs: EncodedPairs; report: CleanReport }> {
  const cleaner = new Cleaner(options.clean);
  const encoded = new EncodedPairs();
  for await (const pair of pairs) {
    const source = options.encodeSource(pair.source);
    const target = options.encodeTarget(pair.target);
    if (cleaner.keeps(pair, source.length, target.length)) encoded.append(source, target);
  }
  const report = cleaner.report();
  if (report.kept === 0) throw new HeedError('corpus', nothingLeft(report));
  return { pairs: encoded, report };
}

function nothingLeft(report: CleanReport): string {
  if (report.read === 0) return 'there must be at least one pair, got none.';
  const reasons = describeDropped(report).join('; ');
  return (
    `at least one pair must be fit for training, got none of ${report.read}: ${reasons}. ` +
    'Mend the files, or raise maxLength and maxRatio.'
  );
}
