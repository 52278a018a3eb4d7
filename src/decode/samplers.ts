// Selects one next token of a row: the most probable one, or one drawn at random.
import type { Random } from '../base/random.ts';
import type { SamplingOptions } from './options.ts';
import { allowedEntries, bestEntries, byProbability, type NextTokens } from './scores.ts';

/** The entry of the selected token, or undefined if none is allowed. */
export type Sampler = (next: NextTokens) => number | undefined;

/** The most probable token; the lower id on ties. */
export const mostProbable: Sampler = (next) => bestEntries(next, 1)[0];

/** Draws from the allowed tokens: temperature first, then the topK most probable, then the nucleus of topP. */
export function randomSampler({ temperature, topK, topP }: SamplingOptions, random: Random): Sampler {
  return (next) => {
    const entries = topK > 0 ? bestEntries(next, topK) : allowedEntries(next);
    if (entries.length === 0) return undefined;
    const kept = topP < 1 ? nucleus(next, { entries, temperature, topP }) : entries;
    return kept[draw(weightsOf(next, kept, temperature), random)];
  };
}

/** Unnormalised probabilities of the entries at the given temperature. */
function weightsOf({ allowed }: NextTokens, entries: readonly number[], temperature: number): Float64Array {
  const highest = entries.reduce((max, entry) => Math.max(max, allowed[entry]), -Infinity);
  const weights = new Float64Array(entries.length);
  for (const [i, entry] of entries.entries()) weights[i] = Math.exp((allowed[entry] - highest) / temperature);
  return weights;
}

/** The fewest most probable entries whose share of the weight reaches `topP`, most probable first. */
function nucleus(
  next: NextTokens,
  { entries, temperature, topP }: { entries: readonly number[]; temperature: number; topP: number },
): number[] {
  const weights = weightsOf(next, entries, temperature);
  const total = sumOf(weights);
  // The entries below this weight sum to less than 1 − topP, so none is in the nucleus: they need no sorting.
  const least = ((1 - topP) * total) / entries.length;
  const likely = entries.filter((_, i) => weights[i] >= least).sort(byProbability(next));
  let sum = 0;
  const last = weightsOf(next, likely, temperature).findIndex((weight) => {
    sum += weight;
    return sum >= topP * total;
  });
  return last < 0 ? likely : likely.slice(0, last + 1);
}

/** Draws an index with a probability proportional to its weight. */
function draw(weights: Float64Array, random: Random): number {
  let left = random.uniform() * sumOf(weights);
  const drawn = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  // Due to rounding, the remainder may exceed the last weight.
  return drawn < 0 ? weights.length - 1 : drawn;
}

function sumOf(numbers: Float64Array): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
