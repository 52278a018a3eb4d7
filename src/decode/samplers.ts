// How one next token is chosen from a row: the most probable one, or one drawn at random.
import type { Random } from '../base/random.ts';
import type { SamplingOptions } from './options.ts';
import { allowedEntries, bestEntries, byProbability, type NextTokens } from './scores.ts';

/** The entry of the token to write, or undefined if none is allowed. */
export type Sampler = (next: NextTokens) => number | undefined;

/** The most probable token; of equals the lower id. */
export const mostProbable: Sampler = (next) => bestEntries(next, 1)[0];

/** Draws from the allowed tokens: temperature first, then the topK most probable, then the nucleus of topP. */
export function randomSampler({ temperature, topK, topP }: SamplingOptions, random: Random): Sampler {
  return (next) => {
    const entries = possibleEntries(next, { topK, topP });
    if (entries.length === 0) return undefined;
    const highest = entries.reduce((max, entry) => Math.max(max, next.allowed[entry]), -Infinity);
    const weights = entries.map((entry) => Math.exp((next.allowed[entry] - highest) / temperature));
    return entries[draw(nucleus(weights, topP), random)];
  };
}

/** Most probable first where a cut needs that order; the order of all tokens otherwise. */
function possibleEntries(next: NextTokens, { topK, topP }: { topK: number; topP: number }): number[] {
  if (topK > 0) return bestEntries(next, topK);
  const entries = allowedEntries(next);
  return topP < 1 ? entries.sort(byProbability(next)) : entries;
}

/** The fewest leading weights whose share of the sum reaches `topP`. */
function nucleus(weights: readonly number[], topP: number): readonly number[] {
  if (topP === 1) return weights;
  const wanted = topP * sumOf(weights);
  let sum = 0;
  const last = weights.findIndex((weight) => {
    sum += weight;
    return sum >= wanted;
  });
  return weights.slice(0, last + 1);
}

/** An index, each with the probability of its share in the sum. */
function draw(weights: readonly number[], random: Random): number {
  let left = random.uniform() * sumOf(weights);
  const drawn = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  // Rounding may leave a crumb behind the last weight.
  return drawn < 0 ? weights.length - 1 : drawn;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
