// Alternatives at a position: each of the n most probable tokens after the prefix is completed by its own beam search
// (return_alternatives in CTranslate2).
import { BeamSearch } from './beam-search.ts';
import type { SearchListener } from './events.ts';
import type { HypothesisResult } from './hypothesis.ts';
import { type DistinctBy, NBest } from './n-best.ts';
import { processorsAt } from './processors.ts';
import type { SentenceSearch } from './run-searches.ts';
import { type RowScores, topFor } from './scores.ts';
import type { SentenceTask } from './sentence.ts';

export class AlternativesSearch implements SentenceSearch {
  /** One search with a single live hypothesis until the prefix is written, then a search for each alternative. */
  private searches: readonly BeamSearch[];
  private hasBranched = false;

  constructor(
    readonly task: SentenceTask,
    private readonly options: { distinctBy?: DistinctBy | undefined; onEvent?: SearchListener | undefined } = {},
  ) {
    this.searches = [this.search()];
  }

  get live() {
    return this.searches.flatMap((search) => search.live);
  }

  get top(): number | undefined {
    const { task, live } = this;
    return topFor(task, processorsAt(task, live[0].tokens.length), Math.max(task.options.nBest, task.options.beam + 1));
  }

  hint(): undefined {
    return undefined;
  }

  /** One result per alternative, best first. */
  get results(): readonly HypothesisResult[] {
    const all = new NBest(this.task.options.nBest, this.options.distinctBy);
    for (const search of this.searches) for (const result of search.results) all.add(result);
    return all.results;
  }

  advance(scores: RowScores, firstRow: number): void {
    if (!this.hasBranched && this.live[0].tokens.length === this.task.prefix.length) this.branch(scores, firstRow);
    else this.advanceEach(scores, firstRow);
  }

  private advanceEach(scores: RowScores, firstRow: number): void {
    let row = firstRow;
    for (const search of this.searches) {
      const rows = search.live.length;
      if (rows > 0) search.advance(scores, row);
      row += rows;
    }
  }

  private branch(scores: RowScores, firstRow: number): void {
    const { task } = this;
    const [trunk] = this.searches;
    const candidates = trunk.candidates(scores, firstRow, task.options.nBest).slice(0, task.options.nBest);
    if (candidates.length === 0) {
      trunk.giveUp();
      return;
    }
    this.hasBranched = true;
    this.searches = candidates.map((candidate) => {
      const search = this.search();
      const isEnd = candidate.token === task.endId;
      search.take(isEnd ? [candidate] : [], isEnd ? [] : [candidate], scores);
      return search;
    });
  }

  private search(): BeamSearch {
    return new BeamSearch(this.task, { nBest: 1, onEvent: this.options.onEvent });
  }
}
