// The files of `heed evaluate`: translations, references, and sources, which group lines into items.

import { HeedError } from '../../base/error.ts';
import { readTextFile } from '../../data/index.ts';
import type { ReferenceStreams } from '../../metrics/index.ts';
import { readLines } from '../../text/index.ts';

export interface EvaluateFiles {
  /** Translations; `-` is standard input. */
  readonly hypothesis: string;
  readonly reference: readonly string[];
  /** Translations of a second system. */
  readonly baseline?: string | undefined;
  readonly source?: string | undefined;
}

/** What is scored: translations and their references, an item each. */
export interface ScoredText {
  readonly hypotheses: readonly string[];
  readonly references: ReferenceStreams;
  readonly baseline: readonly string[] | undefined;
}

/** @throws HeedError if a file cannot be read or has not as many lines as there are translations */
export async function readScoredText(files: EvaluateFiles): Promise<ScoredText> {
  const { hypothesis, reference, baseline, source } = files;
  const hypotheses = await linesOf(hypothesis);
  const alignedLines = async (path: string) => {
    const lines = await linesOf(path);
    if (lines.length === hypotheses.length) return lines;
    throw new HeedError(
      path,
      `must have a line for each translation, got ${lines.length} lines and ${hypotheses.length} translations in ` +
        `${hypothesis === '-' ? 'standard input' : hypothesis}; check that the files belong together line by line.`,
    );
  };
  const references: string[][] = [];
  for (const path of reference) references.push(await alignedLines(path));
  const text = { hypotheses, references, baseline: baseline === undefined ? undefined : await alignedLines(baseline) };
  return source === undefined ? text : groupBySource(text, await alignedLines(source));
}

async function linesOf(path: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of path === '-' ? readLines(process.stdin) : readTextFile(path)) lines.push(line);
  if (lines.length === 0) throw new HeedError('standard input', 'must have at least one line, got none.');
  return lines;
}

/**
 * Lines of the same source become one item, at the place of the first: all their references are its references.
 * @throws HeedError if a system translates them differently, since it would be undefined which one to score
 */
function groupBySource({ hypotheses, references, baseline }: ScoredText, sources: readonly string[]): ScoredText {
  const linesOfSource = new Map<string, number[]>();
  sources.forEach((source, line) => {
    const lines = linesOfSource.get(source);
    if (lines === undefined) linesOfSource.set(source, [line]);
    else lines.push(line);
  });
  const items = [...linesOfSource.values()];
  const referencesOfItems = items.map((lines) => [
    ...new Set(lines.flatMap((line) => references.map((stream) => stream[line]))),
  ]);
  const count = referencesOfItems.reduce((most, { length }) => Math.max(most, length), 0);
  return {
    hypotheses: oneOfEach(hypotheses, items),
    references: Array.from({ length: count }, (_, stream) => referencesOfItems.map((item) => item[stream])),
    baseline: baseline === undefined ? undefined : oneOfEach(baseline, items),
  };
}

function oneOfEach(translations: readonly string[], items: readonly (readonly number[])[]): string[] {
  return items.map(([first, ...others]) => {
    const other = others.find((line) => translations[line] !== translations[first]);
    if (other === undefined) return translations[first];
    throw new HeedError(
      '--source',
      `lines of the same source must have the same translation, got ${JSON.stringify(translations[first])} in line ` +
        `${first + 1} and ${JSON.stringify(translations[other])} in line ${other + 1}.`,
    );
  });
}
