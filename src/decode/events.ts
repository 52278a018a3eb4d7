// The events of a search, from which its tree can be drawn.
import type { Candidate, Hypothesis, HypothesisResult } from './hypothesis.ts';

/**
 * The rule that ended a search:
 * - `decided`: no live hypothesis could reach the score of the worst result any more.
 * - `end`: greedy search and samples stop at their first END.
 * - `length`: all live hypotheses reached the maximal length, and were cut there.
 * - `blocked`: nothing was left to continue: every next token was banned, or only END was allowed.
 */
export interface StopReason {
  readonly rule: 'decided' | 'end' | 'length' | 'blocked';
  /** With `decided`: the best score that a live hypothesis could still have reached. */
  readonly bestPossible?: number;
  /** With `decided`: the score of the worst result, which it did not exceed. */
  readonly threshold?: number;
}

/**
 * Events come in the order of the search. Hypotheses and results are identified by reference: the parent of a candidate is the
 * hypothesis of an earlier `kept`, or the empty one.
 */
export type SearchEvent =
  /** The candidate was kept and is now `hypothesis`. */
  | { readonly kind: 'kept'; readonly candidate: Candidate; readonly hypothesis: Hypothesis }
  /** The candidate was looked at, and others were better. */
  | { readonly kind: 'pruned'; readonly candidate: Candidate }
  /** The candidate is an END that completes its parent. */
  | { readonly kind: 'ended'; readonly candidate: Candidate; readonly result: HypothesisResult }
  /** A hypothesis is complete as it stands, without END. */
  | { readonly kind: 'cut'; readonly hypothesis: Hypothesis; readonly result: HypothesisResult }
  /** A search is over. Each sample, and each alternative, is a search of its own. */
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  /** All searches of the sentence are over; best first. */
  | { readonly kind: 'results'; readonly results: readonly HypothesisResult[] };

/** Called with each event, and the index of the sentence in the batch. */
export type SearchListener = (event: SearchEvent, sentence: number) => void;
