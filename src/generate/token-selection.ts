// Token selection as part of the decode loop's graph. It predicts what the search in decode/ selects; a search uses a step of the
// loop only if the prediction was right.
// W hypotheses of one sentence, C candidates of each: `logProbabilities` and `candidates` [1, W, C].

import type { BeamHint } from '../decode/index.ts';
import type { Values } from '../runtime/index.ts';
import {
  add,
  addScalar,
  concatenate,
  constantIds,
  gather,
  input,
  multiply,
  notEqual,
  positive,
  reshape,
  scale,
  slice,
  subtract,
  type Tensor,
  top,
} from '../tensor/index.ts';

/** Lower than any total. */
export const LOWEST = -1e30;

export interface SelectionOptions {
  /** W */
  readonly width: number;
  /** C */
  readonly top: number;
  readonly endId: number;
}

/** The tokens and parents that a search continues with. */
export interface Selection {
  /** [1, W] */
  readonly nextTokens: Tensor;
  /** The hypothesis that each continues, [1, W]; absent if there is only one. */
  readonly parents?: Tensor;
  /** One number, 0 if the search is over. */
  readonly condition: Tensor;
  /** Loop-carried values of the next selection, by the names of the graph's inputs. */
  readonly carried?: Readonly<Record<string, Tensor>>;
}

/** Greedy selection: the best token, until it is END. */
export function selectGreedy(answer: Record<string, Tensor>, { endId }: SelectionOptions): Selection {
  const best = slice(answer.candidates, { axis: -1, start: 0, end: 1 }); // [1, 1, 1]
  return { nextTokens: reshape(best, [1, 1]), condition: subtract(best, constantIds([1], [endId])) };
}

/** Beam selection, as described by `BeamHint`. @param positions [1], the position of the step */
export function selectBeam(answer: Record<string, Tensor>, positions: Tensor, options: SelectionOptions): Selection {
  const { width, top: count, endId } = options;
  const flat = (x: Tensor) => reshape(x, [width * count]);
  const sums = add(answer.logProbabilities, input('totals', 'float32', [1, width, 1])); // [1, W, C]
  const isWord = notEqual(answer.candidates, endId);
  const words = top(flat(add(sums, scale(addScalar(isWord, -1), -LOWEST))), width);
  const end = top(flat(add(sums, scale(isWord, LOWEST))), 1);
  const best = slice(words.values, { axis: 0, start: 0, end: 1 });
  const last = slice(words.values, { axis: 0, start: width - 1 });
  const isAmongBest = positive(subtract(end.values, last));
  const endTotal = add(end.values, scale(addScalar(isAmongBest, -1), -LOWEST)); // [1]
  const scoreBy = (weights: string, total: Tensor) =>
    multiply(total, gather(input(weights, 'float32', ['length']), positions)); // [1]
  const scores = [input('threshold', 'float32', [1]), scoreBy('endWeights', endTotal)];
  const threshold = top(concatenate(scores, 0), 1).values;
  const rowOf = Array.from({ length: width * count }, (_, i) => Math.floor(i / count));
  const places = reshape(words.places, [1, width]);
  return {
    nextTokens: gather(flat(answer.candidates), places),
    parents: gather(constantIds([width * count], rowOf), places),
    condition: positive(subtract(scoreBy('liveWeights', best), threshold)),
    carried: { totals: reshape(words.values, [1, width, 1]), threshold },
  };
}

/** Additional inputs for beam search; a graph that starts at the source needs fewer. */
export function beamFeeds({ totals, threshold, endWeights, liveWeights }: BeamHint): [string, Values][] {
  return [
    ['totals', { shape: [1, totals.length, 1], data: totals }],
    ['threshold', { shape: [1], data: Float32Array.of(threshold) }],
    ['endWeights', { shape: [endWeights.length], data: endWeights }],
    ['liveWeights', { shape: [liveWeights.length], data: liveWeights }],
  ];
}
