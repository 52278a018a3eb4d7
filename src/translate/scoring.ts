// The log-probability of given translations, under one model or an ensemble.

import type { LengthPenalty } from '../decode/index.ts';
import type { IdPair, Scorer } from '../generate/index.ts';
import type { DirectionOptions } from './direction.ts';

export interface ScorePair {
  readonly source: string;
  /** A text, scored as the tokenizer spells it; or the ids of its pieces, such as `Translation.tokens`. */
  readonly target: string | readonly number[];
}

export interface ScoreOptions extends DirectionOptions {
  /** What the total is divided by, as in decoding. Default and off: `none`. */
  readonly lengthPenalty?: LengthPenalty | string | undefined;
  /** Tokens of the longer side of a batch, padding included, at most. Default 1024. */
  readonly batchTokens?: number | undefined;
  /** Number of the first pair within the whole input, from 0: for error messages. Default 0. */
  readonly firstLine?: number | undefined;
}

export interface PairScore {
  readonly pieces: readonly string[];
  /** Of each piece, and of the end. */
  readonly logProbabilities: readonly number[];
  /** Their sum. */
  readonly total: number;
  /** total / length penalty. */
  readonly score: number;
}

/** Log-probabilities of each target's tokens under an ensemble, whose probabilities are the means of its members'. */
export async function scoreTogether(scorers: readonly Scorer[], pairs: readonly IdPair[]): Promise<number[][]> {
  const members = await Promise.all(scorers.map((scorer) => scorer.run(pairs)));
  return members[0].map((row, i) => row.map((_, token) => logMeanExp(members.map((rows) => rows[i][token]))));
}

function logMeanExp(values: readonly number[]): number {
  const highest = Math.max(...values);
  return highest + Math.log(values.reduce((sum, value) => sum + Math.exp(value - highest), 0) / values.length);
}
