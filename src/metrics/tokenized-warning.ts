// Warns of text that looks tokenised ("a cat ."): BLEU tokenises its input, and scores of tokenised text are not comparable
// with published ones.

import { trimEnd } from './python-text.ts';

const MANY_LINES = 100;

/** A warning if 100 lines or more, or most of the lines, end in a full stop that stands alone; else undefined. */
export function tokenizedWarning(lines: readonly string[]): string | undefined {
  const count = lines.filter((line) => trimEnd(line).endsWith(' .')).length;
  if (count < MANY_LINES && count <= lines.length / 2) return undefined;
  return (
    `${count} of ${lines.length} lines end in " .": the text looks tokenised. Scores of tokenised text do not compare ` +
    'with published ones; detokenise it first.'
  );
}
