// Checks a parallel corpus before training: reports faults with their lines, and selects the pairs without any. Unlike
// cleaning, which sees single lines, it compares lines with the whole corpus.

import { isBlank, isDamaged } from './clean.ts';
import { pairFingerprint } from './fingerprint.ts';
import type { NumberedPair, TextPair } from './pairs.ts';
import { mainScript } from './script.ts';
import { median, type ShiftedBlock, shiftedBlocks } from './shift.ts';

/** What can be wrong with a pair; one pair may have several. */
export const findings = [
  'blank on one side',
  'blank on both sides',
  'not UTF-8',
  'control characters',
  'source equals target',
  'duplicate',
  'unusual length ratio',
  'wrong script',
  'shifted',
] as const;
export type Finding = (typeof findings)[number];

export interface CorpusCheck {
  readonly pairs: number;
  /** The lines concerned, counted from 1, in rising order. Of duplicates all but the first. */
  readonly lines: ReadonlyMap<Finding, readonly number[]>;
  /** The blocks whose lines are `shifted`. */
  readonly shiftedBlocks: readonly ShiftedBlock[];
  /** The script of nine tenths of a side's lines. Undefined if there is none; then no script is wrong there. */
  readonly scripts: { readonly source: string | undefined; readonly target: string | undefined };
}

/**
 * Reads a corpus, numbered 1, 2, 3 …, once; keeps two lengths, two scripts and a fingerprint a pair in memory, no text.
 */
export async function checkCorpus(pairs: AsyncIterable<NumberedPair> | Iterable<NumberedPair>): Promise<CorpusCheck> {
  const lines = new Map<Finding, number[]>(findings.map((finding) => [finding, []]));
  const add = (finding: Finding, line: number) => lines.get(finding)?.push(line);
  const seen = new Set<number>();
  const sides = { source: new Side(), target: new Side() };
  let count = 0;
  for await (const pair of pairs) {
    count++;
    for (const finding of findingsOf(pair)) add(finding, pair.line);
    const fingerprint = pairFingerprint(pair);
    if (seen.has(fingerprint)) add('duplicate', pair.line);
    seen.add(fingerprint);
    sides.source.add(pair.source);
    sides.target.add(pair.target);
  }
  const { source, target } = sides;
  for (const line of unusualRatios(source.lengths, target.lengths)) add('unusual length ratio', line);
  const scripts = { source: source.script(), target: target.script() };
  for (let i = 0; i < count; i++)
    if (isOther(source.scripts[i], scripts.source) || isOther(target.scripts[i], scripts.target))
      add('wrong script', i + 1);
  const blocks = shiftedBlocks(source.lengths, target.lengths);
  for (const { firstLine, lastLine } of blocks)
    for (let line = firstLine; line <= lastLine; line++) add('shifted', line);
  return { pairs: count, lines, shiftedBlocks: blocks, scripts };
}

/** The pairs without a finding, when the corpus is read a second time. */
export async function* soundPairs(
  pairs: AsyncIterable<NumberedPair> | Iterable<NumberedPair>,
  check: CorpusCheck,
): AsyncGenerator<NumberedPair> {
  const unsound = new Set([...check.lines.values()].flat());
  for await (const pair of pairs) if (!unsound.has(pair.line)) yield pair;
}

/** Faults that are visible in a single pair. */
function findingsOf({ source, target }: TextPair): Finding[] {
  const blanks = Number(isBlank(source)) + Number(isBlank(target));
  const found: Finding[] = [];
  if (blanks === 1) found.push('blank on one side');
  if (blanks === 2) found.push('blank on both sides');
  if (isDamaged(source) || isDamaged(target)) found.push('not UTF-8');
  if (hasControls(source) || hasControls(target)) found.push('control characters');
  if (blanks === 0 && source === target) found.push('source equals target');
  return found;
}

/** Control characters but for the tab; line and paragraph separators; byte-order marks, which may start a file only. */
function hasControls(text: string): boolean {
  return /(?!\t)[\p{Cc}\u2028\u2029\uFEFF]/u.test(text);
}

/** What is kept in memory for the lines of one side. */
class Side {
  readonly lengths: number[] = [];
  readonly scripts: (string | undefined)[] = [];

  add(text: string): void {
    this.lengths.push(text.length);
    this.scripts.push(mainScript(text));
  }

  script(): string | undefined {
    const named = this.scripts.filter((script) => script !== undefined);
    const counts = new Map<string, number>();
    for (const script of named) counts.set(script, (counts.get(script) ?? 0) + 1);
    return [...counts].find(([, count]) => count >= 0.9 * named.length)?.[0];
  }
}

function isOther(script: string | undefined, usual: string | undefined): boolean {
  return script !== undefined && usual !== undefined && script !== usual;
}

/**
 * Lines whose ratio of lengths is more than twice, or less than half, the usual one and also five standard deviations
 * away: the first spares corpora of much the same ratio everywhere, the second those where it varies by nature.
 */
function unusualRatios(source: readonly number[], target: readonly number[]): number[] {
  if (source.length === 0) return [];
  const ratios = Float64Array.from(source, (length, i) => Math.log((target[i] + 10) / (length + 10)));
  const usual = median(ratios);
  const distances = ratios.map((ratio) => Math.abs(ratio - usual));
  const limit = Math.max(Math.log(2), 5 * 1.4826 * median(distances));
  return [...distances.keys()].filter((i) => distances[i] > limit).map((i) => i + 1);
}
