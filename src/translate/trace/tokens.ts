// Tokens of a trace, and the predictions after each.

import type { Values } from '../../runtime/index.ts';
import type { Tokenizer } from '../../text/index.ts';
import type { TraceCandidate, TracePrediction, TraceToken } from './format.ts';

export function traceTokens(ids: Iterable<number>, tokenizer: Tokenizer): TraceToken[] {
  const all = [...ids];
  return tokenizer
    .pieces(all)
    .map((piece, i) => ({ id: all[i], piece, ...(tokenizer.isControl(all[i]) ? { special: true as const } : {}) }));
}

/**
 * @param logits [T, V]
 * @param next the token that follows each position
 * @param count of the most probable tokens
 */
export function tracePredictions(
  { shape, data }: Values,
  { next, count, tokenizer }: { next: readonly number[]; count: number; tokenizer: Tokenizer },
): TracePrediction[] {
  const [, size] = shape;
  return next.map((id, position) => {
    const logits = (data as Float32Array).subarray(position * size, (position + 1) * size);
    const candidate = candidatesOf(logits, tokenizer);
    return { next: candidate(id), best: largest(logits, count).map(candidate) };
  });
}

/** Softmax over one position's logits, computed in float64 relative to the largest one. */
function candidatesOf(logits: Float32Array, tokenizer: Tokenizer): (id: number) => TraceCandidate {
  const highest = logits.reduce((most, logit) => Math.max(most, logit), -Infinity);
  const logSum = highest + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - highest), 0));
  return (id) => {
    const [token] = traceTokens([id], tokenizer);
    const logProbability = logits[id] - logSum;
    return { ...token, logit: logits[id], probability: Math.exp(logProbability), logProbability };
  };
}

/** Indices of the `count` largest values, largest first, the first on ties. Efficient for a small `count`. */
function largest(values: Float32Array, count: number): number[] {
  const best: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (best.length === count && values[i] <= values[best[count - 1]]) continue;
    const place = best.findIndex((other) => values[i] > values[other]);
    best.splice(place < 0 ? best.length : place, 0, i);
    if (best.length > count) best.pop();
  }
  return best;
}
