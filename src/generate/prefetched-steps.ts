// Prefetched steps: what a decode loop computed before it was asked for, and whether it is what is asked.

import type { SequenceModel } from '../architectures/index.ts';
import type { StepRequest } from '../decode/index.ts';
import type { Values } from '../runtime/index.ts';
import { appendGroups, lengthAxis } from './state-layout.ts';
import type { StepResults } from './state-store.ts';

export interface PrefetchedStep {
  readonly results: StepResults;
  /** The results with the states that a store takes. Needed only after a wrong guess, or in a search longer than the loop. */
  withStates(): StepResults;
}

/** The iterations of a decode loop: the first answers the request that it was run for, each further one the selection before it. */
export class PrefetchedSteps {
  readonly first: PrefetchedStep;
  private readonly iterations: number;
  private readonly width: number;
  private next = 1;
  /** The step that was handed out last. */
  private latest: StepResults;

  /**
   * @param stacked by name [iterations, …]
   * @param grown after the last iteration: the states of each group [L, 1's shape with P slots]
   * @param top the candidates of each row
   */
  constructor(
    private readonly stacked: StepResults,
    private readonly grown: StepResults,
    private readonly facts: { readonly top: number; readonly states: SequenceModel['states'] },
  ) {
    [this.iterations, , this.width] = stacked.logProbabilities.shape;
    this.first = this.step(0);
    this.latest = this.first.results;
  }

  /** How many steps are worth computing next: after a wrong guess no more than were right, and else more again. */
  get worthwhile(): number {
    return this.next < this.iterations ? this.next : 2 * this.iterations;
  }

  /** The answer to a request, if the selections so far were the search's own and there is one more step. */
  take({ tokens, parents, top }: StepRequest): PrefetchedStep | undefined {
    if (this.next === this.iterations || top !== this.facts.top) return undefined;
    // In greedy search the choice is the best candidate, of the only row.
    const { nextTokens = this.latest.candidates, parents: nextParents } = this.latest;
    const isAsPredicted =
      tokens.every((token, row) => token === nextTokens.data[row]) &&
      (nextParents === undefined || parents.every((parent, row) => parent === nextParents.data[row]));
    if (!isAsPredicted) return undefined;
    const step = this.step(this.next++);
    this.latest = step.results;
    return step;
  }

  private step(index: number): PrefetchedStep {
    const entries = Object.entries(this.stacked).map(([name, { shape, data }]) => {
      const size = data.length / this.iterations;
      const part = { shape: shape.slice(1), data: data.subarray(index * size, (index + 1) * size) };
      return [name, part] as const;
    });
    const results = Object.fromEntries(entries);
    return { results, withStates: () => ({ ...results, ...this.rowsOf(index) }) };
  }

  /** The rows that a step added to the states that grow: for each group [L·W, 1, row size]. */
  private rowsOf(index: number): StepResults {
    const groups = appendGroups(this.facts.states);
    return Object.fromEntries(
      groups.map(({ name, specs }) => [name, this.slotsOf(this.grown[name], lengthAxis(specs[0]), index)]),
    );
  }

  /** Of all slots, which are axis `axis` of [L, …], those of a step. */
  private slotsOf({ shape, data }: Values, axis: number, index: number): Values {
    const { width, iterations } = this;
    const [states, slots] = [shape[0], shape[axis]];
    const outer = shape.slice(1, axis).reduce((product, dim) => product * dim, 1);
    const inner = shape.slice(axis + 1).reduce((product, dim) => product * dim, 1);
    const first = slots - (iterations - index) * width;
    const rows = new Float32Array(states * width * outer * inner);
    for (let state = 0, to = 0; state < states; state++) {
      for (let slot = first; slot < first + width; slot++) {
        for (let part = 0; part < outer; part++, to += inner) {
          const from = ((state * outer + part) * slots + slot) * inner;
          rows.set((data as Float32Array).subarray(from, from + inner), to);
        }
      }
    }
    return { shape: [states * width, 1, outer * inner], data: rows };
  }
}
