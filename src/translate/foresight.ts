// Steps that were computed before they were asked for, and whether they are what is asked.

import type { StepRequest } from '../decode/index.ts';
import type { Values } from '../runtime/index.ts';

/** What one step computes, by name. */
export type StepResults = Readonly<Record<string, Values>>;

/** The rounds of an ahead graph: the first answers the request that it was run for, each further one the token of the round before. */
export class Foresight {
  private next = 1;
  private readonly rounds: number;

  /**
   * @param stacked by name [rounds, …]
   * @param top the candidates of each
   */
  constructor(
    private readonly stacked: StepResults,
    private readonly top: number,
  ) {
    [this.rounds] = stacked.nextToken.shape;
  }

  get first(): StepResults {
    return this.round(0);
  }

  /** The answer to a request, if the rounds so far foresaw it and there is one more. */
  take({ tokens, top }: StepRequest): StepResults | undefined {
    const isForeseen = this.next < this.rounds && tokens[0] === this.stacked.nextToken.data[this.next - 1];
    return isForeseen && top === this.top ? this.round(this.next++) : undefined;
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
