// A loop before it is written as one: what each round computes, what goes from one to the next, and what comes before and after.

import type { OnnxInitializer, OnnxNode, OnnxValueInfo } from '../graph.ts';

/** A value that goes from round to round. */
export interface Carried {
  /** In a round. */
  readonly value: OnnxValueInfo;
  /** What a round makes of it for the next one. */
  readonly next: OnnxValueInfo;
  /** The name of what it is in the first round. */
  readonly first: string;
  /** The name of what it is after the last round. */
  readonly last: string;
}

export interface Rounds {
  readonly before: readonly OnnxNode[];
  readonly round: readonly OnnxNode[];
  readonly after: readonly OnnxNode[];
  readonly carried: readonly Carried[];
  /** Of all three: the engine cannot write to a file what it has made of constants within a loop. */
  readonly initializers: readonly OnnxInitializer[];
}
