// Steps that were computed before they were asked for, and whether they are what is asked.

import type { StepRequest } from '../decode/index.ts';
import type { Values } from '../runtime/index.ts';

/** What one step computes, by name. */
export type StepResults = Readonly<Record<string, Values>>;

/** The rounds of an ahead graph: the first answers the request that it was run for, each further one the choice of the round before. */
export class Foresight {
  readonly first: StepResults;
  private readonly rounds: number;
  private next = 1;
  /** The round that was handed out last. */
  private latest: StepResults;

  /**
   * @param stacked by name [rounds, …]
   * @param top the candidates of each
   */
  constructor(
    private readonly stacked: StepResults,
    private readonly top: number,
  ) {
    [this.rounds] = stacked.logProbabilities.shape;
    this.first = this.round(0);
    this.latest = this.first;
  }

  /** How many rounds are worth computing next: after a wrong guess no more than were right, and else more again. */
  get worthwhile(): number {
    return this.next < this.rounds ? this.next : 2 * this.rounds;
  }

  /** The answer to a request, if the rounds so far foresaw it and there is one more. */
  take({ tokens, parents, top }: StepRequest): StepResults | undefined {
    if (this.next === this.rounds || top !== this.top) return undefined;
    // In greedy search the choice is the best candidate, of the only row.
    const { nextTokens = this.latest.candidates, parents: nextParents } = this.latest;
    const isForeseen =
      tokens.every((token, row) => token === nextTokens.data[row]) &&
      (nextParents === undefined || parents.every((parent, row) => parent === nextParents.data[row]));
    if (!isForeseen) return undefined;
    this.latest = this.round(this.next++);
    return this.latest;
  }

  private round(index: number): StepResults {
    const entries = Object.entries(this.stacked).map(([name, { shape, data }]) => {
      const size = data.length / this.rounds;
      const part = { shape: shape.slice(1), data: data.subarray(index * size, (index + 1) * size) };
      return [name, part] as const;
    });
    return Object.fromEntries(entries);
  }
}
