// Error rates over words, phonemes or characters, and exact matches: for tasks with a few right answers, such as
// pronunciations. Of several references the nearest counts. Not part of sacreBLEU, hence no sacreBLEU version in the signature.

import { alignSegments, type ReferenceStreams } from './metric.ts';
import { splitOnWhiteSpace } from './python-text.ts';
import type { Score } from './score.ts';

/** What is counted: `word` and `phoneme` are separated by white space, a `character` is a code point. */
export type ErrorUnit = 'word' | 'phoneme' | 'character';

export interface ErrorRateScore extends Score {
  /** Insertions, deletions and substitutions. */
  readonly errors: number;
  /** In units, of the nearest references. */
  readonly referenceLength: number;
}

export interface ExactMatchScore extends Score {
  /** Lines equal to one of their references. */
  readonly matches: number;
  readonly lines: number;
}

const RATE_NAMES: Readonly<Record<ErrorUnit, string>> = { word: 'WER', phoneme: 'PER', character: 'CER' };

/**
 * WER, PER or CER in per cent: the edits of all lines per unit of reference. Each line counts against its nearest
 * reference (fewest edits, then the longer one), whatever the order of the references.
 * @throws HeedError for unequal line counts or a line without reference
 */
export function errorRate(
  hypotheses: readonly string[],
  references: ReferenceStreams,
  unit: ErrorUnit,
): ErrorRateScore {
  const name = RATE_NAMES[unit];
  const split = (line: string) => (unit === 'character' ? Array.from(line) : splitOnWhiteSpace(line));
  let errors = 0;
  let referenceLength = 0;
  const { segments, referenceCount } = alignSegments(name, hypotheses, references);
  for (const segment of segments) {
    const nearest = nearestReference(split(segment.hypothesis), segment.references.map(split));
    errors += nearest.errors;
    referenceLength += nearest.length;
  }
  return {
    name,
    score: percentOf(errors, referenceLength),
    signature: `nrefs:${referenceCount}|case:mixed|unit:${unit}|ref:nearest`,
    details: `(errors = ${errors} ref_len = ${referenceLength})`,
    errors,
    referenceLength,
  };
}

/** The per cent of lines that equal one of their references, to the letter. */
export function exactMatch(hypotheses: readonly string[], references: ReferenceStreams): ExactMatchScore {
  const { segments, referenceCount } = alignSegments('exact match', hypotheses, references);
  const matches = segments.filter((segment) => segment.references.includes(segment.hypothesis)).length;
  return {
    name: 'EM',
    score: percentOf(matches, segments.length),
    signature: `nrefs:${referenceCount}|case:mixed|ref:any`,
    details: `(matches = ${matches} lines = ${segments.length})`,
    matches,
    lines: segments.length,
  };
}

/** Units where there should be none count as wholly wrong. */
function percentOf(part: number, whole: number): number {
  if (whole > 0) return (100 * part) / whole;
  return part > 0 ? 100 : 0;
}

function nearestReference(hypothesis: readonly string[], references: readonly (readonly string[])[]) {
  return references
    .map((reference) => ({ errors: editDistance(hypothesis, reference), length: reference.length }))
    .reduce((best, other) => {
      const isNearer = other.errors < best.errors || (other.errors === best.errors && other.length > best.length);
      return isNearer ? other : best;
    });
}

/** Levenshtein distance. */
function editDistance(a: readonly string[], b: readonly string[]): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = previous[column - 1] + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[column] + 1, current[column - 1] + 1));
    }
    previous = current;
  }
  return previous[b.length];
}
