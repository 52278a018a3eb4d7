// Drops pairs that are unfit for training: blank, damaged, too long, of improbable length ratio, copied, or repeated.
// A pair is kept or dropped whole, never one side of it, and each drop is counted and remembered by its line.

import { HeedError } from '../base/error.ts';
import { pairFingerprint } from './fingerprint.ts';
import type { NumberedPair } from './pairs.ts';

export interface CleanOptions {
  /** The most pieces a side may have, without start and end. Default 256. */
  readonly maxLength?: number;
  /** The most that `lengthRatio` of the two sides, in pieces, may be. Default 9; Infinity is off. */
  readonly maxRatio?: number;
  /** Drop pairs whose target is the source, letter by letter. Default false. */
  readonly dropCopies?: boolean;
  /** Keep only the first of equal pairs, at some tens of bytes of memory a pair. Default false. */
  readonly dropDuplicates?: boolean;
}

/** Why a pair is dropped. The first reason that holds, in this order, is the one counted. */
export type DropReason = 'blank' | 'not UTF-8' | 'too long' | 'length ratio' | 'copy' | 'duplicate';

/** How many pairs were dropped for a reason, and the first lines concerned, at most five. */
interface Dropped {
  readonly count: number;
  readonly lines: readonly number[];
}

export interface CleanReport {
  readonly read: number;
  readonly kept: number;
  readonly dropped: Readonly<Record<DropReason, Dropped>>;
}

const exampleLines = 5;
const ratioSmoothing = 5;

/** Decides on pairs one by one and counts the dropped ones. */
export class Cleaner {
  private readonly maxLength: number;
  private readonly maxRatio: number;
  private readonly dropCopies: boolean;
  private readonly seen: Set<number> | undefined;
  private readonly dropped: Record<DropReason, { count: number; lines: number[] }>;
  private read = 0;
  private kept = 0;

  constructor(options: CleanOptions = {}) {
    const { maxLength = 256, maxRatio = 9, dropCopies = false, dropDuplicates = false } = options;
    if (!Number.isInteger(maxLength) || maxLength < 1)
      throw new HeedError('clean', `maxLength must be a whole number of at least 1, got ${maxLength}.`);
    if (!(maxRatio >= 1)) throw new HeedError('clean', `maxRatio must be a number of at least 1, got ${maxRatio}.`);
    this.maxLength = maxLength;
    this.maxRatio = maxRatio;
    this.dropCopies = dropCopies;
    this.seen = dropDuplicates ? new Set() : undefined;
    const none = () => ({ count: 0, lines: [] });
    this.dropped = {
      blank: none(),
      'not UTF-8': none(),
      'too long': none(),
      'length ratio': none(),
      copy: none(),
      duplicate: none(),
    };
  }

  /** Whether a pair stays, given how many pieces its sides have. Counts the pair, so that it is asked once a pair. */
  keeps(pair: NumberedPair, sourceLength: number, targetLength: number): boolean {
    this.read++;
    const reason = this.reasonToDrop(pair, sourceLength, targetLength);
    if (reason === undefined) {
      this.kept++;
      return true;
    }
    const dropped = this.dropped[reason];
    dropped.count++;
    if (dropped.lines.length < exampleLines) dropped.lines.push(pair.line);
    return false;
  }

  /** The counts so far. */
  report(): CleanReport {
    return structuredClone({ read: this.read, kept: this.kept, dropped: this.dropped });
  }

  private reasonToDrop(pair: NumberedPair, sourceLength: number, targetLength: number): DropReason | undefined {
    if (isBlank(pair.source) || isBlank(pair.target) || sourceLength === 0 || targetLength === 0) return 'blank';
    if (isDamaged(pair.source) || isDamaged(pair.target)) return 'not UTF-8';
    if (Math.max(sourceLength, targetLength) > this.maxLength) return 'too long';
    if (lengthRatio(sourceLength, targetLength) > this.maxRatio) return 'length ratio';
    if (this.dropCopies && pair.source === pair.target) return 'copy';
    if (this.seen === undefined) return undefined;
    const fingerprint = pairFingerprint(pair);
    if (this.seen.has(fingerprint)) return 'duplicate';
    this.seen.add(fingerprint);
    return undefined;
  }
}

/** True of a text without a visible character: nothing but white space, control and format characters. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cc}\p{Cf}]*$/u.test(text);
}

/** True of a text with U+FFFD, which stands where a file's bytes were not UTF-8 (often: where they were Latin-1). */
export function isDamaged(text: string): boolean {
  return text.includes('\uFFFD');
}

/**
 * How many times longer the longer side is, with 5 added to both so that short lines are not judged harshly:
 * 1 against 4 is 1.5, 20 against 80 is 3.4, 200 against 800 is 3.9.
 */
export function lengthRatio(sourceLength: number, targetLength: number): number {
  const longer = Math.max(sourceLength, targetLength);
  const shorter = Math.min(sourceLength, targetLength);
  return (longer + ratioSmoothing) / (shorter + ratioSmoothing);
}

/** What was dropped, a line a reason: `3 pairs dropped: blank (lines 7, 9, 12)`. Empty if nothing was. */
export function describeDropped(report: CleanReport): string[] {
  return Object.entries(report.dropped)
    .filter(([, { count }]) => count > 0)
    .map(([reason, { count, lines }]) => {
      const pairs = count === 1 ? '1 pair' : `${count} pairs`;
      const where = `${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${count > lines.length ? ', …' : ''}`;
      return `${pairs} dropped: ${reason} (${where})`;
    });
}
