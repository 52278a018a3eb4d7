// Prefetched steps: the results of a decode loop, returned as long as the search's requests are those that were predicted.

import type { SequenceModel } from '../architectures/index.ts';
import type { StepRequest } from '../decode/index.ts';
import type { Values } from '../runtime/index.ts';
import { appendGroups, lengthAxis } from './state-layout.ts';
import type { StepResults } from './state-store.ts';

export interface PrefetchedStep {
  readonly results: StepResults;
  /** The results including new states for the store. Needed only after a wrong prediction, or beyond the loop's last step. */
  withStates(): StepResults;
}

/** The iterations of a decode loop: the first answers the current request, each further one the predicted selection. */
export class PrefetchedSteps {
  readonly first: PrefetchedStep;
  private readonly iterations: number;
  private readonly width: number;
  private next = 1;
  /** The step that was returned last. */
  private latest: StepResults;

  /**
   * @param stacked by name [iterations, …]
   * @param grown the states of each group after the last iteration, [L, …shape with P slots]
   * @param top candidates per row
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

  /** How many steps to prefetch next: after a wrong prediction as many as were right, else more. */
  get worthwhile(): number {
    return this.next < this.iterations ? this.next : 2 * this.iterations;
  }

  /** The results for a request; undefined if it differs from the prediction or no step is left. */
  take({ tokens, parents, top }: StepRequest): PrefetchedStep | undefined {
    if (this.next === this.iterations || top !== this.facts.top) return undefined;
    // Greedy search selects the best candidate of the only row.
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

  /** The rows that a step appended to the states: for each group [L·W, 1, row size]. */
  private rowsOf(index: number): StepResults {
    const groups = appendGroups(this.facts.states);
    return Object.fromEntries(
      groups.map(({ name, specs }) => [name, this.slotsOf(this.grown[name], lengthAxis(specs[0]), index)]),
    );
  }

  /** Extracts a step's slots along `axis` of [L, …]. */
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
