// Hypotheses: live ones, candidates for the next token, and complete ones with a score.
import { coveragePenalty, lengthPenalty } from './penalty.ts';
import { missingPhrases } from './phrases.ts';
import { bestEntries, type NextTokens, type RowScores, tokenAt } from './scores.ts';
import type { SentenceTask } from './sentence.ts';

/** A partial output. Immutable, since several hypotheses may extend the same one. */
export interface Hypothesis {
  readonly tokens: readonly number[];
  /** The model's log-probability of each token. */
  readonly logProbabilities: readonly number[];
  /** The sum of log-probabilities after the processors, by which the search ranks hypotheses. */
  readonly total: number;
  /** The row of the last step that predicted the last token, by which the model finds its states. */
  readonly row: number;
  /** [tokens][sourceLength], the attention that predicted each token; empty when not recorded. */
  readonly attention: readonly Float32Array[];
}

export const emptyHypothesis: Hypothesis = { tokens: [], logProbabilities: [], total: 0, row: 0, attention: [] };

/** A possible next token of a hypothesis. */
export interface Candidate {
  readonly parent: Hypothesis;
  /** The parent's row in this step. */
  readonly row: number;
  readonly token: number;
  /** The model's. */
  readonly logProbability: number;
  /** The parent's total plus this token's value. */
  readonly total: number;
}

/** Higher total first, ties by lower row, then by lower token; the order never depends on the rest of the batch. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  return b.total - a.total || a.row - b.row || a.token - b.token;
}

/** The candidate for one entry of a row's next tokens. */
export function candidateAt(parent: Hypothesis, row: number, next: NextTokens, entry: number): Candidate {
  const logProbability = next.logProbabilities[entry];
  return { parent, row, token: tokenAt(next, entry), logProbability, total: parent.total + next.allowed[entry] };
}

/** The best `count` continuations of one row, best first. */
export function bestCandidates(parent: Hypothesis, row: number, next: NextTokens, count: number): Candidate[] {
  return bestEntries(next, count).map((entry) => candidateAt(parent, row, next, entry));
}

/** The parent extended by the candidate's token. */
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
 * - `blocked`: every next token was banned; returned only if there is no other result.
 */
export type EndReason = 'end' | 'length' | 'blocked';

/** A complete output. */
export interface HypothesisResult {
  /** Without END. */
  readonly tokens: readonly number[];
  /** The model's log-probability of each token, and of END where `reason` is `end`. */
  readonly logProbabilities: readonly number[];
  /** Σ log p / lp(length), plus the coverage penalty if enabled. A repetition penalty changes the values of Σ. */
  readonly score: number;
  /** n of the length penalty: tokens, and END where `reason` is `end`. */
  readonly length: number;
  readonly reason: EndReason;
  /** [tokens][sourceLength]: the attention of the position that predicted each token; undefined when not recorded. */
  readonly attention: readonly Float32Array[] | undefined;
  /** Indices of the sentence's forced phrases that do not appear, since the maximal length or another rule left no room. */
  readonly missingPhrases: readonly number[];
}

/** The parent, completed by the candidate's END. */
export function endedResult({ parent, logProbability, total }: Candidate, task: SentenceTask): HypothesisResult {
  return result({ ...parent, logProbabilities: [...parent.logProbabilities, logProbability], total }, 'end', task);
}

/** The hypothesis without END. */
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
