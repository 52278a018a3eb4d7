// Hypotheses: alive, one token further, and complete with a score.
import { coveragePenalty, lengthPenalty } from './penalty.ts';
import { missingPhrases } from './phrases.ts';
import { bestEntries, type NextTokens, type RowScores, tokenAt } from './scores.ts';
import type { SentenceTask } from './sentence.ts';

/** An output under way. Immutable: hypotheses that share a beginning are extended from the same one. */
export interface Hypothesis {
  readonly tokens: readonly number[];
  /** The model's log-probability of each token. */
  readonly logProbabilities: readonly number[];
  /** What the search goes by: their sum, of the values after the processors. */
  readonly total: number;
  /** The row of the last step that predicted the last token: where the model finds its cache. */
  readonly row: number;
  /** [tokens][sourceLength], the attention that predicted each token; empty when not recorded. */
  readonly attention: readonly Float32Array[];
}

export const emptyHypothesis: Hypothesis = { tokens: [], logProbabilities: [], total: 0, row: 0, attention: [] };

/** One token that may continue a hypothesis. */
export interface Candidate {
  readonly parent: Hypothesis;
  /** The parent's row in this step. */
  readonly row: number;
  readonly token: number;
  /** The model's. */
  readonly logProbability: number;
  /** The parent's total and this token's part in it. */
  readonly total: number;
}

/** The better first; equals by lower row, then by lower token, so that the order never depends on batch mates. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  return b.total - a.total || a.row - b.row || a.token - b.token;
}

/** The candidate of one entry of a row's next tokens. */
export function candidateAt(parent: Hypothesis, row: number, next: NextTokens, entry: number): Candidate {
  const logProbability = next.logProbabilities[entry];
  return { parent, row, token: tokenAt(next, entry), logProbability, total: parent.total + next.allowed[entry] };
}

/** The best `count` continuations of one row, best first. */
export function bestCandidates(parent: Hypothesis, row: number, next: NextTokens, count: number): Candidate[] {
  return bestEntries(next, count).map((entry) => candidateAt(parent, row, next, entry));
}

/** The parent and the candidate's token. */
export function extend(
  { parent, row, token, logProbability, total }: Candidate,
  scores: RowScores,
  task: SentenceTask,
): Hypothesis {
  const attention = scores.attention(row, task.sourceLength);
  return {
    tokens: [...parent.tokens, token],
    logProbabilities: [...parent.logProbabilities, logProbability],
    total,
    row,
    attention: attention === undefined ? [] : [...parent.attention, attention],
  };
}

/**
 * - `end`: the model ended it.
 * - `length`: cut at the sentence's maximal length, without END.
 * - `blocked`: every next token was banned; returned only where nothing better is.
 */
export type EndReason = 'end' | 'length' | 'blocked';

/** A complete output. */
export interface HypothesisResult {
  /** Without END. */
  readonly tokens: readonly number[];
  /** The model's log-probability of each token, and of END where `reason` is `end`. */
  readonly logProbabilities: readonly number[];
  /** What n-best lists are ordered by: Σ log p / lp(length), and the coverage penalty if asked for. Under a repetition penalty Σ is of the penalised values. */
  readonly score: number;
  /** n of the length penalty: tokens, and END where `reason` is `end`. */
  readonly length: number;
  readonly reason: EndReason;
  /** [tokens][sourceLength]: the attention of the position that predicted each token; undefined when not recorded. */
  readonly attention: readonly Float32Array[] | undefined;
  /** Indices of the sentence's forced phrases that do not appear, since the maximal length or another rule left no room. */
  readonly missingPhrases: readonly number[];
}

/** The parent, ended by the candidate's END. */
export function endedResult({ parent, logProbability, total }: Candidate, task: SentenceTask): HypothesisResult {
  return result({ ...parent, logProbabilities: [...parent.logProbabilities, logProbability], total }, 'end', task);
}

/** The hypothesis as it stands. */
export function result(hypothesis: Hypothesis, reason: EndReason, task: SentenceTask): HypothesisResult {
  const { tokens, logProbabilities, attention } = hypothesis;
  const { options, sourceLength, forcedPhrases } = task;
  const length = logProbabilities.length;
  const coverage = options.coveragePenalty > 0 ? coveragePenalty(options.coveragePenalty, attention, sourceLength) : 0;
  return {
    tokens,
    logProbabilities,
    // A blocked hypothesis may be empty; lp is defined from 1.
    score: hypothesis.total / lengthPenalty(options.lengthPenalty, Math.max(1, length)) + coverage,
    length,
    reason,
    attention: attention.length === tokens.length ? attention : undefined,
    missingPhrases: missingPhrases(tokens, forcedPhrases),
  };
}
