// Estimates activation ranges from the preceding weights, so that activations are quantized by a static scale.

import { dimension, type Tensor, topologicalOrder } from '../../tensor/index.ts';
import { any, either, match, matmul, parameter, relu, transpose } from '../pattern.ts';
import { type ColumnStatistics, StatisticsOfRows } from './column-statistics.ts';

export interface ActivationRange {
  /** The largest absolute entry that activations are taken to have; larger ones are clipped. */
  readonly limit: number;
  /** Whether no entry is below zero, so that all codes are for those above. */
  readonly isNonNegative: boolean;
}

/** How far entries are from their mean at most, in standard deviations. */
const FARTHEST = 7;
/** What a static scale may cover at most, in standard deviations of all entries: with a few wide columns it is too coarse for the rest. */
const WIDEST = 10;

const product = either(matmul(any('x'), parameter('factor')), matmul(any('x'), transpose(parameter('embedding'))));

/**
 * By the name of a matrix: the range of the rows that it is multiplied with. Matrices of whose rows nothing is known are missing.
 *
 * @param outputs of the whole model, which shows where rows come from
 */
export function activationRanges(
  outputs: Iterable<Tensor>,
  weights: ReadonlyMap<string, Float32Array>,
): Map<string, ActivationRange> {
  const statistics = new StatisticsOfRows(weights);
  const ranges = new Map<string, ActivationRange>();
  for (const node of topologicalOrder(outputs)) {
    const found = match(product, node);
    const name = (found?.factor ?? found?.embedding)?.attributes.name;
    if (found === undefined || name === undefined) continue;
    const active = match(relu(any('x')), found.x);
    const columns = statistics.of(active?.x ?? found.x);
    if (columns === undefined || columns.means.length !== dimension(found.x, -1)) continue;
    const range = rangeOf(columns, active !== undefined);
    if (range !== undefined) ranges.set(name, range);
  }
  return ranges;
}

/** @param isNonNegative whether a ReLU makes zero of what is below */
function rangeOf({ means, deviations }: ColumnStatistics, isNonNegative: boolean): ActivationRange | undefined {
  const limit = means.reduce((most, mean, i) => {
    return Math.max(most, FARTHEST * deviations[i] + (isNonNegative ? mean : Math.abs(mean)));
  }, 0);
  const deviation = Math.hypot(...means, ...deviations) / Math.sqrt(means.length);
  return 0 < limit && limit < WIDEST * deviation ? { limit, isNonNegative } : undefined;
}
