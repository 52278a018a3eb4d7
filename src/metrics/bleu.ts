// BLEU (Papineni et al. 2002), equal to sacreBLEU: clipped n-gram precisions of the orders 1–4, their geometric mean, and a
// penalty for hypotheses shorter than the reference. The score of the paper's Table 2.

import { HeedError } from '../base/error.ts';
import { didYouMean } from '../base/nearest.ts';
import { type Metric, type ReferenceStreams, scoreCorpus, scoreSentence } from './metric.ts';
import { countMatches, countWordNgrams, type NgramCounts } from './ngrams.ts';
import { formatFixed } from './python-text.ts';
import type { Score } from './score.ts';
import { formatSignature, yesOrNo } from './signature.ts';
import { BLEU_TOKENIZERS, type BleuTokenizer, tokenize } from './tokenizers.ts';

export interface BleuOptions {
  /** Default `13a`. */
  readonly tokenizer: BleuTokenizer;
  /** Compare without regard to case. Default false. */
  readonly lowercase: boolean;
  /** What stands for a precision of zero matches. Default `exp`. */
  readonly smoothing: BleuSmoothing;
  /** Value of the smoothing, for `floor` (default 0.1) and `add-k` (default 1) only. */
  readonly smoothingValue: number | undefined;
  /** Leave out the orders for which the hypothesis is too short. Default false for a corpus, true for a sentence. */
  readonly effectiveOrder: boolean;
}

/**
 * The methods of Chen and Cherry 2014.
 * - `none`: no smoothing, one order without a match gives 0
 * - `floor`: the value stands for zero matches
 * - `add-k`: the value is added to matches and totals of the orders 2–4
 * - `exp`: the k-th order without a match counts 1 / 2^k matches (NIST)
 */
export type BleuSmoothing = 'none' | 'floor' | 'add-k' | 'exp';

export interface BleuScore extends Score {
  /** Matched n-grams of each order; with `add-k` after the addition. */
  readonly counts: readonly number[];
  /** N-grams of the hypotheses of each order; with `add-k` after the addition. */
  readonly totals: readonly number[];
  /** Per cent, after smoothing. */
  readonly precisions: readonly number[];
  /** 0 to 1. */
  readonly brevityPenalty: number;
  /** In tokens. */
  readonly hypothesisLength: number;
  /** In tokens: for each line the reference of the nearest length. */
  readonly referenceLength: number;
  /** hypothesisLength / referenceLength; 0 if the references are empty. */
  readonly lengthRatio: number;
}

const MAX_ORDER = 4;
const ORDERS: readonly number[] = [1, 2, 3, 4];
const SMOOTHING_VALUES: Readonly<Record<BleuSmoothing, number | undefined>> = {
  none: undefined,
  floor: 0.1,
  'add-k': 1,
  exp: undefined,
};

/** The BLEU of a corpus. @throws HeedError for unequal line counts, a line without reference, or an unknown option value */
export function corpusBleu(
  hypotheses: readonly string[],
  references: ReferenceStreams,
  options: Partial<BleuOptions> = {},
): BleuScore {
  return scoreCorpus(bleuMetric(options), hypotheses, references);
}

/** The BLEU of one line against its references, with the effective order unless told otherwise. */
export function sentenceBleu(
  hypothesis: string,
  references: readonly (string | undefined)[],
  options: Partial<BleuOptions> = {},
): BleuScore {
  return scoreSentence(bleuMetric({ effectiveOrder: true, ...options }), hypothesis, references);
}

/** BLEU as a metric for resampling. Counts of a line: hypothesis length, reference length, 4 matches, 4 totals. */
export function bleuMetric(options: Partial<BleuOptions> = {}): Metric<BleuScore> {
  const resolved = resolveOptions(options);
  const { tokenizer, lowercase, effectiveOrder } = resolved;
  const tokens = (line: string) => tokenize(lowercase ? line.toLowerCase() : line, tokenizer);
  return {
    place: 'BLEU',
    countSegment: (hypothesis, references) => countSegment(tokens(hypothesis), references.map(tokens)),
    scoreCounts: (totals, circumstances) => {
      const signature = formatSignature(circumstances, [
        ['case', lowercase ? 'lc' : 'mixed'],
        ['eff', yesOrNo(effectiveOrder)],
        ['tok', tokenizer],
        ['smooth', smoothingField(resolved)],
      ]);
      return computeScore(totals, resolved, signature);
    },
  };
}

function resolveOptions(options: Partial<BleuOptions>): BleuOptions {
  const { tokenizer = '13a', lowercase = false, smoothing = 'exp', effectiveOrder = false } = options;
  requireKnown('tokenizer', tokenizer, BLEU_TOKENIZERS);
  requireKnown('smoothing', smoothing, Object.keys(SMOOTHING_VALUES));
  const { smoothingValue = SMOOTHING_VALUES[smoothing] } = options;
  if (SMOOTHING_VALUES[smoothing] === undefined && smoothingValue !== undefined) {
    throw new HeedError('BLEU', `smoothingValue belongs to floor and add-k, got ${smoothingValue} for ${smoothing}.`);
  }
  if (smoothingValue !== undefined && !(smoothingValue >= 0 && smoothingValue < Number.POSITIVE_INFINITY)) {
    throw new HeedError('BLEU', `smoothingValue must be a number of at least 0, got ${smoothingValue}.`);
  }
  return { tokenizer, lowercase, smoothing, smoothingValue, effectiveOrder };
}

function requireKnown(option: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return;
  throw new HeedError('BLEU', `${option} must be one of ${known.join(', ')}, got ${value}${didYouMean(value, known)}.`);
}

/** `exp`, `floor[0.10]`. */
function smoothingField({ smoothing, smoothingValue }: BleuOptions): string {
  return smoothingValue === undefined ? smoothing : `${smoothing}[${formatFixed(smoothingValue, 2)}]`;
}

function countSegment(hypothesis: readonly string[], references: readonly (readonly string[])[]): number[] {
  const matches = ORDERS.map((order) => {
    const allowed = mergeCounts(references.map((reference) => countWordNgrams(reference, order)));
    return countMatches(countWordNgrams(hypothesis, order), allowed);
  });
  const totals = ORDERS.map((order) => Math.max(hypothesis.length - order + 1, 0));
  const referenceLengths = references.map((reference) => reference.length);
  return [hypothesis.length, nearestLength(hypothesis.length, referenceLengths), ...matches, ...totals];
}

/** Several references allow an n-gram as often as the one that has it most often. */
function mergeCounts(references: readonly NgramCounts[]): NgramCounts {
  const [merged, ...others] = references;
  for (const counts of others) {
    for (const [ngram, count] of counts) merged.set(ngram, Math.max(merged.get(ngram) ?? 0, count));
  }
  return merged;
}

/** Of two equally near lengths, the shorter. */
function nearestLength(length: number, candidates: readonly number[]): number {
  const distance = (candidate: number) => Math.abs(candidate - length);
  return candidates.reduce((best, candidate) => {
    const difference = distance(candidate) - distance(best);
    return difference < 0 || (difference === 0 && candidate < best) ? candidate : best;
  });
}

function computeScore(sums: readonly number[], options: BleuOptions, signature: string): BleuScore {
  const [hypothesisLength, referenceLength] = sums;
  const smoothed = smooth(sums.slice(2, 2 + MAX_ORDER), sums.slice(2 + MAX_ORDER), options);
  const { counts, totals, precisions, orders } = smoothed;
  const brevityPenalty = computeBrevityPenalty(hypothesisLength, referenceLength);
  const logSum = precisions.slice(0, orders).reduce((sum, precision) => sum + Math.log(precision), 0);
  const score = orders === 0 ? 0 : brevityPenalty * Math.exp(logSum / orders);
  const lengthRatio = referenceLength === 0 ? 0 : hypothesisLength / referenceLength;
  const details =
    `${precisions.map((precision) => formatFixed(precision, 1)).join('/')} (BP = ${formatFixed(brevityPenalty, 3)} ` +
    `ratio = ${formatFixed(lengthRatio, 3)} hyp_len = ${hypothesisLength} ref_len = ${referenceLength})`;
  const lengths = { brevityPenalty, hypothesisLength, referenceLength, lengthRatio };
  return { name: 'BLEU', score, signature, details, counts, totals, precisions, ...lengths };
}

/** 1 for hypotheses as long as the references or longer, else e^(1 − reference / hypothesis). */
function computeBrevityPenalty(hypothesisLength: number, referenceLength: number): number {
  if (hypothesisLength >= referenceLength) return 1;
  return hypothesisLength === 0 ? 0 : Math.exp(1 - referenceLength / hypothesisLength);
}

/** The precisions in per cent, and how many orders count; none if nothing matches at all. */
function smooth(matches: readonly number[], ngrams: readonly number[], options: BleuOptions) {
  const { smoothing, smoothingValue = 0, effectiveOrder } = options;
  const counts = [...matches];
  const totals = [...ngrams];
  const precisions = ORDERS.map(() => 0);
  if (matches.every((count) => count === 0)) return { counts, totals, precisions, orders: 0 };
  let orders = MAX_ORDER;
  let expDenominator = 1;
  for (let index = 0; index < MAX_ORDER; index++) {
    if (smoothing === 'add-k' && index > 0) {
      counts[index] += smoothingValue;
      totals[index] += smoothingValue;
    }
    if (totals[index] === 0) break;
    if (effectiveOrder) orders = index + 1;
    if (counts[index] > 0) {
      precisions[index] = (100 * counts[index]) / totals[index];
    } else if (smoothing === 'exp') {
      expDenominator *= 2;
      precisions[index] = 100 / (expDenominator * totals[index]);
    } else if (smoothing === 'floor') {
      precisions[index] = (100 * smoothingValue) / totals[index];
    }
  }
  return { counts, totals, precisions, orders };
}
