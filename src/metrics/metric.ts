// What all metrics share: a metric turns each line into a few counts, adds the counts up over the corpus, and computes
// the score from the sums alone. Resampling (significance.ts) needs no more than the counts.

import { HeedError } from '../base/error.ts';
import type { Score } from './score.ts';
import type { Circumstances, ReferenceCount } from './signature.ts';

/** A metric with its options fixed. */
export interface Metric<S extends Score> {
  /** The place in error messages. */
  readonly place: string;
  /** The counts of one line against its references (at least one); always the same number of counts. */
  countSegment(hypothesis: string, references: readonly string[]): number[];
  /** The score of counts added up. */
  scoreCounts(totals: readonly number[], circumstances: Circumstances): S;
}

/**
 * References as sacreBLEU takes them: streams, each with one line per hypothesis. `references[1][5]` is the second
 * reference of the sixth line; `undefined` where that line has no second reference. An empty text is a reference.
 */
export type ReferenceStreams = readonly (readonly (string | undefined)[])[];

/** One hypothesis with all its references. */
interface Segment {
  readonly hypothesis: string;
  readonly references: readonly string[];
}

/** The counts of every line of a corpus. */
export interface CorpusCounts {
  readonly segments: readonly (readonly number[])[];
  readonly referenceCount: ReferenceCount;
}

/** @throws HeedError unless there are hypotheses, streams of equal length, and a reference for every line */
export function countCorpus<S extends Score>(
  metric: Metric<S>,
  hypotheses: readonly string[],
  references: ReferenceStreams,
): CorpusCounts {
  const { segments, referenceCount } = alignSegments(metric.place, hypotheses, references);
  return {
    segments: segments.map((segment) => metric.countSegment(segment.hypothesis, segment.references)),
    referenceCount,
  };
}

/** The score of a whole corpus: counts are added up first, so that it is not the mean of the lines' scores. */
export function scoreCorpus<S extends Score>(
  metric: Metric<S>,
  hypotheses: readonly string[],
  references: ReferenceStreams,
): S {
  const { segments, referenceCount } = countCorpus(metric, hypotheses, references);
  return metric.scoreCounts(addCounts(segments), { referenceCount });
}

/** The score of one line against its references. */
export function scoreSentence<S extends Score>(
  metric: Metric<S>,
  hypothesis: string,
  references: readonly (string | undefined)[],
): S {
  const streams = references.map((reference) => [reference]);
  return scoreCorpus(metric, [hypothesis], streams);
}

/** Column sums. */
export function addCounts(segments: readonly (readonly number[])[]): number[] {
  const totals = segments[0].map(() => 0);
  for (const counts of segments) {
    for (let column = 0; column < totals.length; column++) totals[column] += counts[column];
  }
  return totals;
}

/** Turns streams into segments: `['a', 'b'], [['x', 'y'], [undefined, 'z']]` gives a–(x) and b–(y, z). */
export function alignSegments(
  place: string,
  hypotheses: readonly string[],
  references: ReferenceStreams,
): { segments: Segment[]; referenceCount: ReferenceCount } {
  if (hypotheses.length === 0) throw new HeedError(place, 'needs at least one hypothesis line, got none.');
  if (references.length === 0) throw new HeedError(place, 'needs at least one reference stream, got none.');
  references.forEach((stream, index) => {
    if (stream.length === hypotheses.length) return;
    throw new HeedError(
      place,
      `each reference stream needs one line per hypothesis, got ${hypotheses.length} hypotheses and ` +
        `${stream.length} lines in reference stream ${index + 1}; check that the files belong together line by line.`,
    );
  });
  const segments = hypotheses.map((hypothesis, line) => {
    const present = references.map((stream) => stream[line]).filter((reference) => reference !== undefined);
    if (present.length === 0) {
      throw new HeedError(place, `each line needs at least one reference, got none for line ${line + 1}.`);
    }
    return { hypothesis, references: present };
  });
  const isEven = segments.every((segment) => segment.references.length === segments[0].references.length);
  return { segments, referenceCount: isEven ? segments[0].references.length : 'var' };
}
