// What `heed data check` reports: counts, examples with their lines, shifted blocks, scripts; as JSON and for people.

import type { CorpusCheck, NumberedPair, ShiftedBlock } from '../../data/index.ts';
import { grouped } from './terminal.ts';

export interface CheckReport {
  readonly pairs: number;
  readonly soundPairs: number;
  /** The script of nearly all lines; absent where there is none. */
  readonly scripts: { readonly source?: string | undefined; readonly target?: string | undefined };
  /** Of the kinds that occur. A pair may be under several. */
  readonly findings: readonly FindingReport[];
  readonly shiftedBlocks: readonly ShiftedBlock[];
}

interface FindingReport {
  readonly finding: string;
  readonly lines: readonly number[];
  /** The first pairs concerned, their texts shortened and made visible. */
  readonly examples: readonly NumberedPair[];
}

/** @param pairs the corpus read once more, for the examples */
export async function checkReport(
  pairs: AsyncIterable<NumberedPair>,
  check: CorpusCheck,
  exampleCount: number,
): Promise<CheckReport> {
  const found = [...check.lines].filter(([, lines]) => lines.length > 0);
  const examples = await pairsOfLines(pairs, new Set(found.flatMap(([, lines]) => lines.slice(0, exampleCount))));
  return {
    pairs: check.pairs,
    soundPairs: check.pairs - new Set(found.flatMap(([, lines]) => lines)).size,
    scripts: check.scripts,
    findings: found.map(([finding, lines]) => ({
      finding,
      lines,
      examples: lines.slice(0, exampleCount).flatMap((line) => examples.get(line) ?? []),
    })),
    shiftedBlocks: check.shiftedBlocks,
  };
}

/** Reads no further than the last line wanted. */
async function pairsOfLines(
  pairs: AsyncIterable<NumberedPair>,
  lines: ReadonlySet<number>,
): Promise<Map<number, NumberedPair>> {
  const found = new Map<number, NumberedPair>();
  if (lines.size === 0) return found;
  for await (const { line, source, target } of pairs) {
    if (!lines.has(line)) continue;
    found.set(line, { line, source: excerpt(source), target: excerpt(target) });
    if (found.size === lines.size) break;
  }
  return found;
}

const excerptLength = 60;
const contextLength = 20;

/** What cannot be seen: control and format characters, line and paragraph separators. */
const invisible = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/** At most 60 characters, from shortly before the first that cannot be seen, which is written as `\u{85}`. */
function excerpt(text: string): string {
  const characters = Array.from(text);
  const firstInvisible = characters.findIndex((character) => invisible.test(character));
  const start = firstInvisible < excerptLength ? 0 : firstInvisible - contextLength;
  const shown = characters.slice(start, start + excerptLength).map((character) => {
    const code = character.codePointAt(0)?.toString(16).toUpperCase();
    return invisible.test(character) ? `\\u{${code}}` : character;
  });
  const end = start + excerptLength < characters.length ? '…' : '';
  return `${start > 0 ? '…' : ''}${shown.join('')}${end}`;
}

/** The report as lines for people. */
export function formatReport({ pairs, soundPairs, scripts, findings, shiftedBlocks }: CheckReport): string[] {
  const lines = [
    `${grouped(pairs)} pairs; script of the sources ${scripts.source ?? 'mixed'}, of the targets ${scripts.target ?? 'mixed'}`,
  ];
  for (const { finding, lines: concerned, examples } of findings) {
    lines.push(`${finding}: ${grouped(concerned.length)}`);
    if (finding === 'shifted') lines.push(...shiftedBlocks.map(formatBlock));
    else lines.push(...examples.map(({ line, source, target }) => `  line ${line}: “${source}” | “${target}”`));
  }
  return [...lines, `${grouped(soundPairs)} pairs without a finding`];
}

function formatBlock({ firstLine, lastLine, offset }: ShiftedBlock): string {
  const distance = Math.abs(offset) === 1 ? '1 line' : `${Math.abs(offset)} lines`;
  const direction = offset > 0 ? 'further down' : 'further up';
  return `  lines ${firstLine} to ${lastLine}: the translations stand ${distance} ${direction}`;
}
