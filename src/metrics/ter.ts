// TER, the translation edit rate (Snover et al. 2006), equal to sacreBLEU: how many words to insert, delete, replace, and how
// many phrases to move, per word of the reference. Less is better; 100 and more is possible.

import { type Metric, type ReferenceStreams, scoreCorpus, scoreSentence } from './metric.ts';
import type { Score } from './score.ts';
import { formatSignature, yesOrNo } from './signature.ts';
import { countEdits } from './ter-shifts.ts';
import { type TerOptions, tokenizeForTer } from './ter-tokenizer.ts';

export interface TerScore extends Score {
  /** Edits and shifts, against the reference that needs fewest. */
  readonly edits: number;
  /** In words, for each line the mean over its references. */
  readonly referenceLength: number;
}

/** The TER of a corpus. @throws HeedError for unequal line counts or a line without reference */
export function corpusTer(
  hypotheses: readonly string[],
  references: ReferenceStreams,
  options: Partial<TerOptions> = {},
): TerScore {
  return scoreCorpus(terMetric(options), hypotheses, references);
}

/** The TER of one line against its references. */
export function sentenceTer(
  hypothesis: string,
  references: readonly (string | undefined)[],
  options: Partial<TerOptions> = {},
): TerScore {
  return scoreSentence(terMetric(options), hypothesis, references);
}

/** TER as a metric for resampling. Counts of a line: edits, reference length. */
export function terMetric(options: Partial<TerOptions> = {}): Metric<TerScore> {
  const { normalized = false, removePunctuation = false, asianSupport = false, caseSensitive = false } = options;
  const resolved = { normalized, removePunctuation, asianSupport, caseSensitive };
  return {
    place: 'TER',
    countSegment: (hypothesis, references) => {
      const words = tokenizeForTer(hypothesis, resolved);
      const referenceWords = references.map((reference) => tokenizeReference(reference, resolved));
      const edits = Math.min(...referenceWords.map((reference) => countEdits(words, reference)));
      const lengths = referenceWords.reduce((sum, reference) => sum + reference.length, 0);
      return [edits, lengths / references.length];
    },
    scoreCounts: ([edits, referenceLength], circumstances) => ({
      name: 'TER',
      score: 100 * editRate(edits, referenceLength),
      signature: formatSignature(circumstances, [
        ['case', caseSensitive ? 'mixed' : 'lc'],
        ['tok', 'tercom'],
        ['norm', yesOrNo(normalized)],
        ['punct', yesOrNo(!removePunctuation)],
        ['asian', yesOrNo(asianSupport)],
      ]),
      details: '',
      edits,
      referenceLength,
    }),
  };
}

/**
 * sacreBLEU tokenises references twice, which changes a few: of `it's's` the first round gives `it's` and `'s`, the second
 * splits `it's` too.
 */
function tokenizeReference(reference: string, options: TerOptions): string[] {
  return tokenizeForTer(tokenizeForTer(reference, options).join(' '), options);
}

/** Words where there should be none count as wholly wrong. */
function editRate(edits: number, referenceLength: number): number {
  if (referenceLength > 0) return edits / referenceLength;
  return edits > 0 ? 1 : 0;
}
