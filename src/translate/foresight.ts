// Steps that were computed before they were asked for, and whether they are what is asked.

import type { StepRequest } from '../decode/index.ts';
import type { Values } from '../runtime/index.ts';
import type { RowsToCache } from './slots.ts';

/** What one step computes, by name. */
export type StepResults = Readonly<Record<string, Values>>;

/** A step that was computed before it was asked for. */
export interface ForeseenStep {
  readonly results: StepResults;
  /** Only a wrong guess, or a search longer than the rounds, ever needs them. */
  rowsToCache(): RowsToCache;
}

/** The rounds of an ahead graph: the first answers the request that it was run for, each further one the choice of the round before. */
export class Foresight {
  readonly first: ForeseenStep;
  private readonly rounds: number;
  private readonly width: number;
  private next = 1;
  /** The round that was handed out last. */
  private latest: StepResults;

  /**
   * @param stacked by name [rounds, …]
   * @param cache after the last round: `keys` [L, H, P, K] and `values` [L, H, P, V]
   * @param top the candidates of each
   */
  constructor(
    private readonly stacked: StepResults,
    private readonly cache: StepResults,
    private readonly top: number,
  ) {
    [this.rounds, , this.width] = stacked.logProbabilities.shape;
    this.first = this.round(0);
    this.latest = this.first.results;
  }

  /** How many rounds are worth computing next: after a wrong guess no more than were right, and else more again. */
  get worthwhile(): number {
    return this.next < this.rounds ? this.next : 2 * this.rounds;
  }

  /** The answer to a request, if the rounds so far foresaw it and there is one more. */
  take({ tokens, parents, top }: StepRequest): ForeseenStep | undefined {
    if (this.next === this.rounds || top !== this.top) return undefined;
    // In greedy search the choice is the best candidate, of the only row.
    const { nextTokens = this.latest.candidates, parents: nextParents } = this.latest;
    const isForeseen =
      tokens.every((token, row) => token === nextTokens.data[row]) &&
      (nextParents === undefined || parents.every((parent, row) => parent === nextParents.data[row]));
    if (!isForeseen) return undefined;
    const step = this.round(this.next++);
    this.latest = step.results;
    return step;
  }

  /** Of all slots [L, H, P, size] those of a round: [L·W, 1, H·size] */
  private rowsOf({ shape: [layers, heads, slots, size], data }: Values, round: number): Float32Array {
    const { width, rounds } = this;
    const first = slots - (rounds - round) * width;
    const rows = new Float32Array(layers * width * heads * size);
    for (let layer = 0, to = 0; layer < layers; layer++) {
      for (let slot = first; slot < first + width; slot++) {
        for (let head = 0; head < heads; head++, to += size) {
          const from = ((layer * heads + head) * slots + slot) * size;
          rows.set((data as Float32Array).subarray(from, from + size), to);
        }
      }
    }
    return rows;
  }

  private round(index: number): ForeseenStep {
    const entries = Object.entries(this.stacked).map(([name, { shape, data }]) => {
      const size = data.length / this.rounds;
      const part = { shape: shape.slice(1), data: data.subarray(index * size, (index + 1) * size) };
      return [name, part] as const;
    });
    const { keys, values } = this.cache;
    return {
      results: Object.fromEntries(entries),
      rowsToCache: () => ({ keys: this.rowsOf(keys, index), values: this.rowsOf(values, index) }),
    };
  }
}
