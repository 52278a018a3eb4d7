// Significance of the difference between two systems, and confidence of a score: paired approximate randomisation, paired
// bootstrap and the bootstrap confidence interval, with sacreBLEU's samples: the same seed gives the same p-value.
// sacreBLEU adds up bootstrap samples in 32-bit floats, here they are 64-bit: interval bounds agree to about 1e-4.

import { HeedError } from '../base/error.ts';
import { addCounts, type CorpusCounts, countCorpus, type Metric, type ReferenceStreams } from './metric.ts';
import { NumpyRandom } from './numpy-random.ts';
import type { ConfidenceInterval, Score } from './score.ts';
import type { Trials } from './signature.ts';

export interface ResamplingOptions {
  /** Random trials. Default 1,000 for the bootstrap, 10,000 for approximate randomisation. */
  readonly trials: number;
  /** Default 12345, as sacreBLEU. */
  readonly seed: number;
}

/** Two systems compared on the same lines; both scores carry the test in their signature. */
export interface PairedComparison<S extends Score> {
  readonly baseline: S;
  readonly system: S;
  /**
   * The probability of a difference at least as large if both systems were equally good; below 0.05 is usually called
   * significant. It tells "different", not "better".
   */
  readonly pValue: number;
}

/** Two hypotheses of each line, and the references of both. */
export interface PairedSystems {
  readonly baseline: readonly string[];
  readonly system: readonly string[];
  readonly references: ReferenceStreams;
}

/** The score of a corpus with a 95 % confidence interval, by bootstrap resampling of its lines (sacreBLEU's `--confidence`). */
export function scoreWithConfidence<S extends Score>(
  metric: Metric<S>,
  hypotheses: readonly string[],
  references: ReferenceStreams,
  options: Partial<ResamplingOptions> = {},
): S {
  const trials = resolveTrials('bootstrap', options);
  const corpus = countCorpus(metric, hypotheses, references);
  return withInterval(scoreTotals(metric, corpus, trials), bootstrapScores(metric, corpus, trials));
}

/** Paired bootstrap resampling (Koehn 2004): draws lines with replacement, the same ones for both systems. */
export function pairedBootstrap<S extends Score>(
  metric: Metric<S>,
  systems: PairedSystems,
  options: Partial<ResamplingOptions> = {},
): PairedComparison<S> {
  const trials = resolveTrials('bootstrap', options);
  const { baseline, system } = countBoth(metric, systems);
  const baselineScores = bootstrapScores(metric, baseline, trials);
  const systemScores = bootstrapScores(metric, system, trials);
  const differences = systemScores.map((score, trial) => Math.abs(score - baselineScores[trial]));
  const meanDifference = mean(differences);
  return compare(
    withInterval(scoreTotals(metric, baseline, trials), baselineScores),
    withInterval(scoreTotals(metric, system, trials), systemScores),
    differences.map((difference) => difference - meanDifference),
  );
}

/** Paired approximate randomisation (Riezler and Maxwell 2005): swaps the two systems' lines at random. Sharper than the bootstrap. */
export function pairedApproximateRandomization<S extends Score>(
  metric: Metric<S>,
  systems: PairedSystems,
  options: Partial<ResamplingOptions> = {},
): PairedComparison<S> {
  const trials = resolveTrials('approximate-randomization', options);
  const { baseline, system } = countBoth(metric, systems);
  const coins = new NumpyRandom(trials.seed).booleans();
  const scoreOf = (totals: readonly number[]) => metric.scoreCounts(totals, baseline).score;
  const differences = Array.from({ length: trials.count }, () => {
    const [first, second] = addShuffled(baseline.segments, system.segments, coins);
    return Math.abs(scoreOf(first) - scoreOf(second));
  });
  return compare(scoreTotals(metric, baseline, trials), scoreTotals(metric, system, trials), differences);
}

function countBoth<S extends Score>(metric: Metric<S>, { baseline, system, references }: PairedSystems) {
  return {
    baseline: countCorpus(metric, baseline, references),
    system: countCorpus(metric, system, references),
  };
}

function scoreTotals<S extends Score>(metric: Metric<S>, corpus: CorpusCounts, trials: Trials): S {
  return metric.scoreCounts(addCounts(corpus.segments), { referenceCount: corpus.referenceCount, trials });
}

/** The scores of resampled corpora, each of as many lines as the corpus, drawn with replacement. */
function bootstrapScores<S extends Score>(metric: Metric<S>, corpus: CorpusCounts, trials: Trials): number[] {
  const random = new NumpyRandom(trials.seed);
  const { segments } = corpus;
  return Array.from({ length: trials.count }, () => {
    const sample = segments.map(() => segments[random.integer(segments.length)]);
    return metric.scoreCounts(addCounts(sample), corpus).score;
  });
}

/** The sums of two corpora made by swapping lines: the first has the baseline's line where the coin says so, the second the other. */
function addShuffled(
  baseline: CorpusCounts['segments'],
  system: CorpusCounts['segments'],
  coins: Iterator<boolean, never>,
): readonly [first: number[], second: number[]] {
  const first = baseline[0].map(() => 0);
  const second = [...first];
  for (let line = 0; line < baseline.length; line++) {
    const keep = coins.next().value;
    const toFirst = keep ? baseline[line] : system[line];
    const toSecond = keep ? system[line] : baseline[line];
    for (let column = 0; column < first.length; column++) {
      first[column] += toFirst[column];
      second[column] += toSecond[column];
    }
  }
  return [first, second];
}

/**
 * The observed difference counts as one more trial, so that the p-value is never 0. Any difference is at least as large
 * as none; sacreBLEU, which counts only larger ones, calls a system significantly different from itself.
 */
function compare<S extends Score>(baseline: S, system: S, chanceDifferences: readonly number[]): PairedComparison<S> {
  const observed = Math.abs(baseline.score - system.score);
  if (observed === 0) return { baseline, system, pValue: 1 };
  const larger = chanceDifferences.filter((difference) => difference > observed).length;
  return { baseline, system, pValue: (larger + 1) / (chanceDifferences.length + 1) };
}

function withInterval<S extends Score>(score: S, sampleScores: readonly number[]): S {
  return { ...score, confidence: confidenceInterval(sampleScores) };
}

/** Leaves out one score in forty at either end. */
function confidenceInterval(sampleScores: readonly number[]): ConfidenceInterval {
  const sorted = sampleScores.toSorted((a, b) => a - b);
  const cut = Math.floor(sorted.length / 40);
  return { mean: mean(sorted), halfWidth: (sorted[sorted.length - cut - 1] - sorted[cut]) / 2 };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function resolveTrials(kind: Trials['kind'], options: Partial<ResamplingOptions>): Trials {
  const { trials: count = kind === 'bootstrap' ? 1000 : 10_000, seed = 12345 } = options;
  if (!Number.isInteger(count) || count < 2) {
    throw new HeedError('significance', `trials must be a whole number of at least 2, got ${count}.`);
  }
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new HeedError('significance', `seed must be a whole number from 0 to 2^53 - 1, got ${seed}.`);
  }
  return { kind, count, seed };
}
