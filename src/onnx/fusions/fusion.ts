// A fusion: a tensor is computed by something else than its own operator, since the engine is faster at that.

import type { Tensor } from '../../tensor/index.ts';
import type { GraphWriter } from '../writer.ts';

export interface Fusion {
  /** What is to be computed first, in place of the node's own inputs. */
  readonly inputs: readonly Tensor[];
  /** Writes it and names its outputs. @param inputs of each input the names of its outputs */
  emit(writer: GraphWriter, inputs: readonly (readonly string[])[]): readonly string[];
}

/** By tensor; those that are not here are computed by their own operators. */
export type Fusions = ReadonlyMap<Tensor, Fusion>;

/** The first output of each: what most operators have only. */
export function mainOutputs(inputs: readonly (readonly string[])[]): string[] {
  return inputs.map(([main]) => main);
}

/** A tensor is computed as another one, which has the same entries. */
export function replacedBy(tensor: Tensor): Fusion {
  return { inputs: [tensor], emit: (_, [names]) => names };
}

/** A tensor is one output of a fusion that computes several. */
export function outputOf(fused: Tensor, index: number): Fusion {
  return { inputs: [fused], emit: (_, [names]) => [names[index]] };
}
