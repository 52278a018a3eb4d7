// Error rates over words, phonemes or characters, and exact matches: for tasks with a few right answers, such as
// pronunciations. Of several references the nearest counts. Not part of sacreBLEU, hence no sacreBLEU version in the signature.

import { type Metric, type ReferenceStreams, scoreCorpus } from './metric.ts';
import { formatFixed, splitOnWhiteSpace } from './python-text.ts';
import type { Score } from './score.ts';
import { formatFields } from './signature.ts';

/** What is counted: `word` and `phoneme` are separated by white space, a `character` is a code point. */
export type ErrorUnit = 'word' | 'phoneme' | 'character';

export interface CaseOptions {
  /** Compare without regard to case. Default false. */
  readonly lowercase: boolean;
}

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
  return scoreCorpus(errorRateMetric(unit), hypotheses, references);
}

/** An error rate as a metric for resampling. Counts of a line: errors, reference length. */
export function errorRateMetric(unit: ErrorUnit, options: Partial<CaseOptions> = {}): Metric<ErrorRateScore> {
  const { lowercase = false } = options;
  const name = RATE_NAMES[unit];
  const split = (line: string) => {
    const text = lowercase ? line.toLowerCase() : line;
    return unit === 'character' ? Array.from(text) : splitOnWhiteSpace(text);
  };
  return {
    place: name,
    countSegment: (hypothesis, references) => {
      const { errors, length } = nearestReference(split(hypothesis), references.map(split));
      return [errors, length];
    },
    scoreCounts: ([errors, referenceLength], circumstances) => ({
      name,
      score: percentOf(errors, referenceLength),
      signature: formatFields(circumstances, [
        ['case', lowercase ? 'lc' : 'mixed'],
        ['unit', unit],
        ['ref', 'nearest'],
      ]),
      details: `(errors = ${errors} ref_len = ${referenceLength})`,
      errors,
      referenceLength,
    }),
  };
}

/** The per cent of lines that equal one of their references, to the letter. */
export function exactMatch(hypotheses: readonly string[], references: ReferenceStreams): ExactMatchScore {
  return scoreCorpus(exactMatchMetric(), hypotheses, references);
}

/**
 * Exact match as a metric for resampling. Counts of a line: 1 if it matches, 1. What is called the word error rate of
 * pronunciations, a word a line, is the rest to 100 and stands in the details.
 */
export function exactMatchMetric(options: Partial<CaseOptions> = {}): Metric<ExactMatchScore> {
  const { lowercase = false } = options;
  const asCompared = (line: string) => (lowercase ? line.toLowerCase() : line);
  return {
    place: 'exact match',
    countSegment: (hypothesis, references) => {
      const isMatch = references.map(asCompared).includes(asCompared(hypothesis));
      return [isMatch ? 1 : 0, 1];
    },
    scoreCounts: ([matches, lines], circumstances) => ({
      name: 'EM',
      score: percentOf(matches, lines),
      signature: formatFields(circumstances, [
        ['case', lowercase ? 'lc' : 'mixed'],
        ['ref', 'any'],
      ]),
      details: `(matches = ${matches} lines = ${lines} wrong = ${formatFixed(percentOf(lines - matches, lines), 1)})`,
      matches,
      lines,
    }),
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
