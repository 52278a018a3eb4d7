// What every metric returns, and its two printed forms: sacreBLEU's line and sacreBLEU's JSON.

import { HeedError } from '../base/error.ts';
import { formatPythonJson } from './python-json.ts';
import { formatFixed } from './python-text.ts';

/** A score and how it was computed. */
export interface Score {
  /** `BLEU`, `chrF2`, `chrF2++`, `TER`, … */
  readonly name: string;
  /** 0 to 100 for BLEU and chrF (more is better); 0 upwards for error rates (less is better). */
  readonly score: number;
  /** `nrefs:1|case:mixed|…`: scores of unlike signatures must not be compared. */
  readonly signature: string;
  /** What the printed line adds behind the score, such as BLEU's precisions; empty if nothing. */
  readonly details: string;
  /** Only with bootstrap resampling. */
  readonly confidence?: ConfidenceInterval;
}

/** The middle 95 % of the bootstrap scores: `mean` ± `halfWidth`. */
export interface ConfidenceInterval {
  readonly mean: number;
  readonly halfWidth: number;
}

/** sacreBLEU's `--format json`: numbers rounded as printed, and every field of the signature as a text. */
export type ScoreJson = Record<string, string | number>;

/**
 * One line as sacreBLEU prints it:
 * `BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 34.8 71.0/47.5/34.3/24.5 (BP = 1.000 …)`.
 * @param decimals digits behind the point of the score itself, 1 as sacreBLEU's command line
 */
export function formatScore(score: Score, decimals = 1): string {
  const { name, signature, details } = score;
  const confidence = shownConfidence(score);
  const interval = confidence === undefined ? '' : ` (${formatInterval(confidence, decimals)})`;
  const line = `${name}|${signature} = ${printed(score.score, decimals)}${interval}`;
  return details === '' ? line : `${line} ${details}`;
}

/** The keys and values of sacreBLEU's `--format json`, in its order. */
export function scoreToJson(score: Score, decimals = 1): ScoreJson {
  const { details } = score;
  const confidence = shownConfidence(score);
  const json: ScoreJson = {
    name: score.name,
    score: Number(printed(score.score, decimals)),
    signature: score.signature,
  };
  if (confidence !== undefined) {
    json.confidence_mean = Number(printed(confidence.mean, decimals));
    json.confidence_var = Number(printed(confidence.halfWidth, decimals));
    json.confidence = formatInterval(confidence, decimals);
  }
  if (details !== '') json.verbose_score = details;
  for (const field of score.signature.split('|')) {
    const colon = field.indexOf(':');
    json[field.slice(0, colon)] = field.slice(colon + 1);
  }
  return json;
}

/** The text of sacreBLEU's `--format json`: an object, or a list if there are several scores. */
export function formatScoresJson(scores: readonly Score[], decimals = 1): string {
  const objects = scores.map((score) => formatPythonJson(scoreToJson(score, decimals), 1));
  return objects.length === 1 ? objects[0] : `[\n${objects.join(',\n')}\n]`;
}

/** sacreBLEU leaves out an interval whose mean is 0. */
function shownConfidence({ confidence }: Score): ConfidenceInterval | undefined {
  return confidence !== undefined && confidence.mean > 0 ? confidence : undefined;
}

function formatInterval({ mean, halfWidth }: ConfidenceInterval, decimals: number): string {
  return `μ = ${printed(mean, decimals)} ± ${printed(halfWidth, decimals)}`;
}

function printed(value: number, decimals: number): string {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 10) {
    throw new HeedError('score', `decimals must be a whole number from 0 to 10, got ${decimals}.`);
  }
  return formatFixed(value, decimals);
}
