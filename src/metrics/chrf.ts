// chrF (Popović 2015) and chrF++ (Popović 2017), equal to sacreBLEU: an F-score over character n-grams, and for chrF++ over
// word n-grams too. Needs no tokenizer, hence good for languages rich in forms and for those without blanks.

import { HeedError } from '../base/error.ts';
import { type Metric, type ReferenceStreams, scoreCorpus, scoreSentence } from './metric.ts';
import { countAll, countCharacterNgrams, countMatches, countWordNgrams, type NgramCounts } from './ngrams.ts';
import { splitOnWhiteSpace } from './python-text.ts';
import type { Score } from './score.ts';
import { formatSignature, yesOrNo } from './signature.ts';

export interface ChrfOptions {
  /** Longest character n-gram. Default 6. */
  readonly charOrder: number;
  /** Longest word n-gram: 0 is chrF (default), 2 is chrF++. */
  readonly wordOrder: number;
  /** Recall weighs `beta` times as much as precision. Default 2. */
  readonly beta: number;
  /** Compare without regard to case. Default false. */
  readonly lowercase: boolean;
  /** Let character n-grams contain white space. Default false: it is removed first. */
  readonly whitespace: boolean;
  /** Average F over all orders, a tiny number for those without n-grams, as chrF++.py does. Default false: only orders that occur. */
  readonly epsilonSmoothing: boolean;
}

export interface ChrfScore extends Score {
  readonly charOrder: number;
  readonly wordOrder: number;
  readonly beta: number;
}

/** The chrF of a corpus. @throws HeedError for unequal line counts, a line without reference, or an impossible order */
export function corpusChrf(
  hypotheses: readonly string[],
  references: ReferenceStreams,
  options: Partial<ChrfOptions> = {},
): ChrfScore {
  return scoreCorpus(chrfMetric(options), hypotheses, references);
}

/** The chrF of one line against its references. */
export function sentenceChrf(
  hypothesis: string,
  references: readonly (string | undefined)[],
  options: Partial<ChrfOptions> = {},
): ChrfScore {
  return scoreSentence(chrfMetric(options), hypothesis, references);
}

/** chrF as a metric for resampling. Counts of a line: for each order n-grams of the hypothesis, of the reference, matches. */
export function chrfMetric(options: Partial<ChrfOptions> = {}): Metric<ChrfScore> {
  const resolved = resolveOptions(options);
  const { charOrder, wordOrder, beta, lowercase, whitespace, epsilonSmoothing } = resolved;
  return {
    place: 'chrF',
    countSegment: (hypothesis, references) => countSegment(hypothesis, references, resolved),
    scoreCounts: (totals, circumstances) => ({
      name: `chrF${beta}${'+'.repeat(wordOrder)}`,
      score: fScore(totals, resolved),
      signature: formatSignature(circumstances, [
        ['case', lowercase ? 'lc' : 'mixed'],
        ['eff', yesOrNo(!epsilonSmoothing)],
        ['nc', charOrder],
        ['nw', wordOrder],
        ['space', yesOrNo(whitespace)],
      ]),
      details: '',
      charOrder,
      wordOrder,
      beta,
    }),
  };
}

function resolveOptions(options: Partial<ChrfOptions>): ChrfOptions {
  const { charOrder = 6, wordOrder = 0, beta = 2 } = options;
  const { lowercase = false, whitespace = false, epsilonSmoothing = false } = options;
  for (const [name, order] of Object.entries({ charOrder, wordOrder })) {
    if (!Number.isInteger(order) || order < 0) {
      throw new HeedError('chrF', `${name} must be a whole number of at least 0, got ${order}.`);
    }
  }
  if (charOrder + wordOrder === 0) {
    throw new HeedError('chrF', 'charOrder and wordOrder must not both be 0; set one of them to at least 1.');
  }
  if (!(beta > 0 && beta < Number.POSITIVE_INFINITY)) {
    throw new HeedError('chrF', `beta must be a number above 0, got ${beta}.`);
  }
  return { charOrder, wordOrder, beta, lowercase, whitespace, epsilonSmoothing };
}

/** Against several references, the counts of the one with the best F-score; the first of equals. */
function countSegment(hypothesis: string, references: readonly string[], options: ChrfOptions): number[] {
  const hypothesisNgrams = countNgrams(hypothesis, options);
  let best: number[] = [];
  let bestScore = -1;
  for (const reference of references) {
    const counts = compareNgrams(hypothesisNgrams, countNgrams(reference, options));
    const score = fScore(counts, options);
    if (score > bestScore) {
      best = counts;
      bestScore = score;
    }
  }
  return best;
}

/** The n-grams of each order: characters first, then words. */
function countNgrams(line: string, options: ChrfOptions): NgramCounts[] {
  const { charOrder, wordOrder, lowercase, whitespace } = options;
  const text = lowercase ? line.toLowerCase() : line;
  const characterNgrams = countCharacterNgrams(whitespace ? text : splitOnWhiteSpace(text).join(''), charOrder);
  if (wordOrder === 0) return characterNgrams;
  const words = splitOffPunctuation(text);
  return [...characterNgrams, ...Array.from({ length: wordOrder }, (_, index) => countWordNgrams(words, index + 1))];
}

const ASCII_PUNCTUATION = new Set('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');

/** One sign at most is split off a word, at its end if there is one: `(hi)` becomes `(hi` and `)`. */
function splitOffPunctuation(text: string): string[] {
  return splitOnWhiteSpace(text).flatMap((word) => {
    if (word.length === 1) return [word];
    const last = word[word.length - 1];
    if (ASCII_PUNCTUATION.has(last)) return [word.slice(0, -1), last];
    return ASCII_PUNCTUATION.has(word[0]) ? [word[0], word.slice(1)] : [word];
  });
}

/** [hypothesis, reference, matches] of each order, one behind the other. An order that the reference lacks counts no hypothesis. */
function compareNgrams(hypothesis: readonly NgramCounts[], reference: readonly NgramCounts[]): number[] {
  return hypothesis.flatMap((ngrams, index) => {
    const inReference = countAll(reference[index]);
    return [inReference > 0 ? countAll(ngrams) : 0, inReference, countMatches(ngrams, reference[index])];
  });
}

/** 0 to 100, from the flattened counts of `compareNgrams`. */
function fScore(counts: readonly number[], options: ChrfOptions): number {
  return options.epsilonSmoothing ? meanFScore(counts, options) : fScoreOfMeans(counts, options);
}

/** F of the precision and the recall averaged over the orders that occur on both sides. */
function fScoreOfMeans(counts: readonly number[], { beta }: ChrfOptions): number {
  let precision = 0;
  let recall = 0;
  let orders = 0;
  for (let at = 0; at < counts.length; at += 3) {
    const [inHypothesis, inReference, matches] = counts.slice(at, at + 3);
    if (inHypothesis === 0 || inReference === 0) continue;
    precision += matches / inHypothesis;
    recall += matches / inReference;
    orders++;
  }
  if (precision + recall === 0) return 0;
  return 100 * fBeta(precision / orders, recall / orders, beta);
}

/** F of each order, averaged over all orders. */
function meanFScore(counts: readonly number[], { beta }: ChrfOptions): number {
  const epsilon = 1e-16;
  let sum = 0;
  for (let at = 0; at < counts.length; at += 3) {
    const [inHypothesis, inReference, matches] = counts.slice(at, at + 3);
    const precision = inHypothesis > 0 ? matches / inHypothesis : epsilon;
    const recall = inReference > 0 ? matches / inReference : epsilon;
    sum += precision + recall > 0 ? fBeta(precision, recall, beta) : epsilon;
  }
  return (100 * sum) / (counts.length / 3);
}

function fBeta(precision: number, recall: number, beta: number): number {
  const weight = beta ** 2;
  return ((1 + weight) * precision * recall) / (weight * precision + recall);
}
