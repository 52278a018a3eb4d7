// Beam search for one sentence: `beam` live hypotheses of equal length, and the n best complete ones.
import { phraseCandidates, selectByBank } from './constraints.ts';
import type { SearchEvent, SearchListener, StopReason } from './events.ts';
import {
  bestCandidates,
  type Candidate,
  compareCandidates,
  emptyHypothesis,
  endedResult,
  extend,
  type Hypothesis,
  type HypothesisResult,
  result,
} from './hypothesis.ts';
import { type DistinctBy, NBest } from './n-best.ts';
import { bestPossibleScore, lengthPenalty } from './penalty.ts';
import { processorsAt } from './processors.ts';
import type { SentenceSearch } from './run-searches.ts';
import { type RowScores, topFor } from './scores.ts';
import type { SearchHint } from './search-hint.ts';
import type { SentenceTask } from './sentence.ts';

/** As a factor of negative totals: gives scores that never raise the threshold. */
const NEVER = 1e30;

export interface BeamSearchOptions {
  readonly nBest: number;
  readonly distinctBy?: DistinctBy | undefined;
  readonly onEvent?: SearchListener | undefined;
}

/**
 * - A hypothesis ends if its END is among the best `beam` candidates of the sentence, as in fairseq and CTranslate2:
 *   an END that the beam would not have kept as a token completes nothing.
 * - Complete hypotheses do not occupy the beam, and the search stops when no live one can still win.
 * - Hypotheses of maximal length are cut, without END, and are scored like the others, as in CTranslate2 (fairseq forces
 *   an END).
 */
export class BeamSearch implements SentenceSearch {
  /** Best first. */
  live: readonly Hypothesis[] = [emptyHypothesis];
  private readonly complete: NBest;
  private readonly onEvent: SearchListener | undefined;

  constructor(
    readonly task: SentenceTask,
    { nBest, distinctBy, onEvent }: BeamSearchOptions,
  ) {
    this.complete = new NBest(nBest, distinctBy);
    this.onEvent = onEvent;
  }

  /** One row could give all `beam` live hypotheses, and an END. */
  private get candidatesPerRow(): number {
    return this.task.options.beam + 1;
  }

  private get length(): number {
    return this.live[0].tokens.length;
  }

  get top(): number | undefined {
    return topFor(this.task, processorsAt(this.task, this.length), this.candidatesPerRow);
  }

  get results(): readonly HypothesisResult[] {
    return this.complete.results;
  }

  /** With forced phrases, hypotheses other than the best are kept. */
  hint(width: number): SearchHint | undefined {
    const { task, live, complete } = this;
    if (task.forcedPhrases.length > 0) return undefined;
    const totals = Float32Array.from({ length: width }, (_, row) => live[row]?.total ?? -Infinity);
    const weights = (score: (length: number) => number) =>
      Float32Array.from({ length: task.maxLength }, (_, position) => score(position + 1));
    const { lengthPenalty: penalty, nBest } = task.options;
    const longest = task.maxLength;
    const beam = {
      totals,
      threshold: complete.threshold,
      // With several results the threshold is the score of the last one, which a single END may not change.
      endWeights: weights((length) => (nBest === 1 ? 1 / lengthPenalty(penalty, length) : NEVER)),
      liveWeights: weights((length) => bestPossibleScore(penalty, 1, { shortest: length + 1, longest })),
    };
    return { steps: task.maxLength - this.length, beam };
  }

  advance(scores: RowScores, firstRow: number): void {
    const candidates = this.candidates(scores, firstRow);
    if (candidates.length === 0) {
      this.giveUp();
      return;
    }
    const isConstrained = this.task.forcedPhrases.length > 0;
    const { ended, continued } = isConstrained
      ? selectByBank(candidates, this.task)
      : selectBest(candidates, this.task);
    if (this.onEvent !== undefined) this.emitPruned(candidates, new Set([...ended, ...continued]));
    this.take(ended, continued, scores);
  }

  /** The best continuations of each live row. */
  candidates(scores: RowScores, firstRow: number, count = this.candidatesPerRow): Candidate[] {
    const { task, live } = this;
    const processors = processorsAt(task, this.length);
    return live.flatMap((parent, i) => {
      const row = firstRow + i;
      const next = scores.nextTokens(row, parent.tokens, { processors, task });
      const best = bestCandidates(parent, row, next, count);
      if (task.forcedPhrases.length === 0) return best;
      const phrases = phraseCandidates(parent, row, next, task.forcedPhrases);
      return [...best, ...phrases.filter(({ token }) => best.every((candidate) => candidate.token !== token))];
    });
  }

  /** Continues with the selected candidates. */
  take(ended: readonly Candidate[], continued: readonly Candidate[], scores: RowScores): void {
    for (const candidate of ended) this.end(candidate);
    this.live = continued.map((candidate) => this.keep(candidate, scores));
    const reason = this.stopReason();
    if (reason === undefined) return;
    if (reason.rule === 'length') this.cut('length');
    this.stop(reason);
  }

  /** Ends the search if every continuation is forbidden. */
  giveUp(): void {
    if (this.complete.results.length === 0) this.cut('blocked');
    this.stop({ rule: 'blocked' });
  }

  private end(candidate: Candidate): void {
    const result = endedResult(candidate, this.task);
    this.complete.add(result);
    this.emit({ kind: 'ended', candidate, result });
  }

  private keep(candidate: Candidate, scores: RowScores): Hypothesis {
    const hypothesis = extend(candidate, scores, this.task);
    this.emit({ kind: 'kept', candidate, hypothesis });
    return hypothesis;
  }

  /** Completes the live hypotheses without END. */
  private cut(reason: 'length' | 'blocked'): void {
    for (const hypothesis of this.live) {
      const cut = result(hypothesis, reason, this.task);
      this.complete.add(cut);
      this.emit({ kind: 'cut', hypothesis, result: cut });
    }
  }

  /** The reason to stop, if any. All live hypotheses have the same length, and the first has the highest total. */
  private stopReason(): StopReason | undefined {
    const { task, complete, live } = this;
    if (live.length === 0) return { rule: 'blocked' };
    if (this.length === task.maxLength) return { rule: 'length' };
    // Beam 1 is greedy search, which takes END when END is the most probable token.
    if (task.options.beam === 1) return complete.results.length > 0 ? { rule: 'end' } : undefined;
    const lengths = { shortest: this.length + 1, longest: task.maxLength };
    const bestPossible = bestPossibleScore(task.options.lengthPenalty, live[0].total, lengths);
    const { threshold } = complete;
    return bestPossible <= threshold ? { rule: 'decided', bestPossible, threshold } : undefined;
  }

  private stop(reason: StopReason): void {
    this.live = [];
    this.emit({ kind: 'stopped', reason });
  }

  private emitPruned(candidates: readonly Candidate[], taken: ReadonlySet<Candidate>): void {
    for (const candidate of candidates) if (!taken.has(candidate)) this.emit({ kind: 'pruned', candidate });
  }

  private emit(event: SearchEvent): void {
    this.onEvent?.(event, this.task.sentence);
  }
}

/** Plain beam search: the ENDs among the best `beam` candidates, and the best `beam` of the others. */
function selectBest(candidates: readonly Candidate[], { endId, options }: SentenceTask) {
  const best = [...candidates].sort(compareCandidates);
  return {
    ended: best.slice(0, options.beam).filter((candidate) => candidate.token === endId),
    continued: best.filter((candidate) => candidate.token !== endId).slice(0, options.beam),
  };
}
