// Length and coverage penalties, which make the scores of longer and shorter hypotheses comparable: those of GNMT (Wu et al.
// 2016, section 7), and the average.
import { HeedError } from '../base/error.ts';

/**
 * score = Σ log p / lp(n), where n counts END and not START.
 * - `gnmt`: lp(n) = ((5 + n) / 6)^alpha, the paper's choice with alpha 0.6
 * - `average`: lp(n) = n^power, as in fairseq, CTranslate2 and Hugging Face
 * - `none`: lp(n) = 1
 *
 * An exponent of 0 is the same as `none`; a negative one favours short hypotheses.
 */
export type LengthPenalty =
  | { readonly kind: 'gnmt'; readonly alpha: number }
  | { readonly kind: 'average'; readonly power: number }
  | { readonly kind: 'none' };

/** lp(n) for n ≥ 1; always positive, and monotone in n. */
export function lengthPenalty(penalty: LengthPenalty, n: number): number {
  switch (penalty.kind) {
    case 'gnmt':
      return ((5 + n) / 6) ** penalty.alpha;
    case 'average':
      return n ** penalty.power;
    case 'none':
      return 1;
  }
}

/**
 * The best score that a live hypothesis can still reach: its sum of log-probabilities only decreases, and its final length is
 * between `shortest` and `longest`. As lp is monotone, the best divisor is that of one of the two.
 */
export function bestPossibleScore(
  penalty: LengthPenalty,
  total: number,
  lengths: { shortest: number; longest: number },
): number {
  return total / Math.max(lengthPenalty(penalty, lengths.shortest), lengthPenalty(penalty, lengths.longest));
}

/** Lower limit of a source position's total attention, so that scores are finite. */
const leastCoverage = 1e-9;

/**
 * cp = β · Σ_j log(min(Σ_i a_ij, 1)) ≤ 0 over source positions j and target tokens i: penalises untranslated source.
 *
 * @param attention [tokens][sourceLength]
 */
export function coveragePenalty(beta: number, attention: readonly Float32Array[], sourceLength: number): number {
  let sum = 0;
  for (let j = 0; j < sourceLength; j++) {
    const coverage = attention.reduce((covered, row) => covered + row[j], 0);
    sum += Math.log(Math.max(leastCoverage, Math.min(coverage, 1)));
  }
  return beta * sum;
}

/** Reads `gnmt`, `gnmt:0.6`, `average`, `average:1` or `none`. @throws HeedError for anything else */
export function parseLengthPenalty(text: string): LengthPenalty {
  const [kind, exponent, ...rest] = text.split(':');
  const isWellFormed = exponent === undefined || (exponent.trim() !== '' && Number.isFinite(Number(exponent)));
  if (isWellFormed && rest.length === 0) {
    if (kind === 'gnmt') return { kind, alpha: Number(exponent ?? 0.6) };
    if (kind === 'average') return { kind, power: Number(exponent ?? 1) };
    if (kind === 'none' && exponent === undefined) return { kind };
  }
  throw new HeedError(
    'decode',
    `lengthPenalty must be gnmt:ALPHA (such as gnmt:0.6), average:POWER or none, got ${text}.`,
  );
}
