// Beam search for one sentence: `beam` live hypotheses of one length, and beside them the n best complete ones.
import { phraseCandidates, selectByBank } from './constraints.ts';
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
import { bestPossibleScore } from './penalty.ts';
import { processorsAt } from './processors.ts';
import type { SentenceSearch } from './run-searches.ts';
import { type RowScores, topFor } from './scores.ts';
import type { SentenceTask } from './sentence.ts';

/**
 * - A row's END counts where it is among the best `beam` candidates of the sentence, as in fairseq and CTranslate2: an
 *   END that the beam would not have kept as a token is no translation either.
 * - Complete hypotheses take no place in the beam, and the search stops when no live one can still win.
 * - What reaches the maximal length is cut, without END, and competes by score on the same terms, as in CTranslate2
 *   (fairseq would force an END on it).
 */
export class BeamSearch implements SentenceSearch {
  /** Best first. */
  live: readonly Hypothesis[] = [emptyHypothesis];
  private readonly complete: NBest;

  constructor(
    readonly task: SentenceTask,
    { nBest, distinctBy }: { nBest: number; distinctBy?: DistinctBy | undefined },
  ) {
    this.complete = new NBest(nBest, distinctBy);
  }

  /** One row could give all `beam` live hypotheses, and its END beside them. */
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

  /** Goes on with the chosen candidates. */
  take(ended: readonly Candidate[], continued: readonly Candidate[], scores: RowScores): void {
    const { task, complete } = this;
    for (const candidate of ended) complete.add(endedResult(candidate, task));
    this.live = continued.map((candidate) => extend(candidate, scores, task));
    if (this.live.length > 0 && this.length === task.maxLength) {
      for (const hypothesis of this.live) complete.add(result(hypothesis, 'length', task));
      this.live = [];
    }
    if (this.live.length > 0 && this.isDecided()) this.live = [];
  }

  /** Whether no live hypothesis can still enter the n best. All have one length, and the first has the highest total. */
  private isDecided(): boolean {
    const { task, complete, live } = this;
    // Beam 1 is greedy search, which takes END when END is the most probable token.
    if (task.options.beam === 1) return complete.results.length > 0;
    const lengths = { shortest: this.length + 1, longest: task.maxLength };
    return bestPossibleScore(task.options.lengthPenalty, live[0].total, lengths) <= complete.threshold;
  }

  /** Ends the search where every continuation is forbidden. */
  giveUp(): void {
    if (this.complete.results.length === 0)
      for (const hypothesis of this.live) this.complete.add(result(hypothesis, 'blocked', this.task));
    this.live = [];
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
