// Greedy search and sampling for one sentence: each path adds one token per step and never branches. A token is final once it
// is written, so it can be streamed.
import type { SearchEvent, SearchListener } from './events.ts';
import {
  type Candidate,
  candidateAt,
  emptyHypothesis,
  endedResult,
  extend,
  type Hypothesis,
  type HypothesisResult,
  result,
} from './hypothesis.ts';
import { type DistinctBy, NBest } from './n-best.ts';
import { processorsAt } from './processors.ts';
import type { SentenceSearch } from './run-searches.ts';
import type { Sampler } from './samplers.ts';
import { type NextTokens, type RowScores, topFor } from './scores.ts';
import type { SearchHint } from './search-hint.ts';
import type { SentenceTask } from './sentence.ts';

/** A token just written; END is not reported. */
export interface TokenEvent {
  /** Index of the sentence in the batch. */
  readonly sentence: number;
  /** Number of the sample; 0 in greedy search. */
  readonly sample: number;
  /** Position of the token in the output, from 0. */
  readonly position: number;
  readonly token: number;
  /** The model's. */
  readonly logProbability: number;
}

interface Path {
  readonly sample: number;
  readonly hypothesis: Hypothesis;
}

export interface PathSearchOptions {
  /** One per path. */
  readonly samplers: readonly Sampler[];
  /** How many most probable tokens the sampler needs; undefined: all. */
  readonly choices: number | undefined;
  readonly onToken?: ((event: TokenEvent) => void) | undefined;
  readonly distinctBy?: DistinctBy | undefined;
  readonly onEvent?: SearchListener | undefined;
}

export class PathSearch implements SentenceSearch {
  live: readonly Hypothesis[];
  private paths: readonly Path[];
  private readonly complete: NBest;

  constructor(
    readonly task: SentenceTask,
    private readonly options: PathSearchOptions,
  ) {
    this.paths = options.samplers.map((_, sample) => ({ sample, hypothesis: emptyHypothesis }));
    this.live = this.paths.map(({ hypothesis }) => hypothesis);
    this.complete = new NBest(options.samplers.length, options.distinctBy);
  }

  get top(): number | undefined {
    const { choices } = this.options;
    const processors = processorsAt(this.task, this.live[0].tokens.length);
    return choices === undefined ? undefined : topFor(this.task, processors, choices);
  }

  hint(): SearchHint | undefined {
    const { task, paths } = this;
    const isGreedy = this.options.choices === 1 && paths.length === 1;
    return isGreedy ? { steps: task.maxLength - paths[0].hypothesis.tokens.length } : undefined;
  }

  get results(): readonly HypothesisResult[] {
    return this.complete.results;
  }

  advance(scores: RowScores, firstRow: number): void {
    const { task } = this;
    const processors = processorsAt(task, this.live[0].tokens.length);
    this.paths = this.paths.flatMap((path, i) => {
      const row = firstRow + i;
      const next = scores.nextTokens(row, path.hypothesis.tokens, { processors, task });
      const hypothesis = this.step(path, { next, row, scores });
      return hypothesis === undefined ? [] : [{ ...path, hypothesis }];
    });
    this.live = this.paths.map(({ hypothesis }) => hypothesis);
  }

  /** The path with one more token, or undefined if it is complete. */
  private step(
    { sample, hypothesis }: Path,
    { next, row, scores }: { next: NextTokens; row: number; scores: RowScores },
  ): Hypothesis | undefined {
    const { task } = this;
    const entry = this.options.samplers[sample](next);
    if (entry === undefined) return this.cut(hypothesis, 'blocked');
    const candidate = candidateAt(hypothesis, row, next, entry);
    if (candidate.token === task.endId) return this.end(candidate);
    const longer = extend(candidate, scores, task);
    this.emit({ kind: 'kept', candidate, hypothesis: longer });
    const { token, logProbability } = candidate;
    const position = hypothesis.tokens.length;
    this.options.onToken?.({ sentence: task.sentence, sample, position, token, logProbability });
    return longer.tokens.length < task.maxLength ? longer : this.cut(longer, 'length');
  }

  private end(candidate: Candidate): undefined {
    const ended = endedResult(candidate, this.task);
    this.complete.add(ended);
    this.emit({ kind: 'ended', candidate, result: ended });
    this.emit({ kind: 'stopped', reason: { rule: 'end' } });
  }

  private cut(hypothesis: Hypothesis, rule: 'length' | 'blocked'): undefined {
    const cut = result(hypothesis, rule, this.task);
    this.complete.add(cut);
    this.emit({ kind: 'cut', hypothesis, result: cut });
    this.emit({ kind: 'stopped', reason: { rule } });
  }

  private emit(event: SearchEvent): void {
    this.options.onEvent?.(event, this.task.sentence);
  }
}
