// The calculation of a cell as text, with its numbers.

import type { StageWords } from './stage.ts';

/** Terms that are written out; the others are counted. */
const shownTerms = 3;

/** Formats a number: 4 digits at most, a real minus sign, −∞ for masked entries. */
export function format(value: number): string {
  if (value <= -1e8) return '−∞';
  const magnitude = Math.abs(value);
  const digits = magnitude >= 100 ? 1 : magnitude >= 10 ? 2 : 3;
  const text = magnitude !== 0 && magnitude < 5e-4 ? magnitude.toExponential(1) : magnitude.toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** In brackets after an operator. */
export function factor(value: number): string {
  const text = format(value);
  return text.startsWith('−') ? `(${text})` : text;
}

export function dot(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += left[i] * right[i];
  return sum;
}

/** `0.9·1.2 + 0.5·(−0.4) + … 29 more = 4.03`: the largest products first, since they matter most. */
export function dotSum(left: ArrayLike<number>, right: ArrayLike<number>, { more }: StageWords): string {
  const order = Array.from({ length: left.length }, (_, i) => i).sort(
    (i, j) => Math.abs(left[j] * right[j]) - Math.abs(left[i] * right[i]),
  );
  const terms = order.slice(0, shownTerms).map((i) => `${factor(left[i])}·${factor(right[i])}`);
  return `${withRest(terms, left.length, more)} = ${format(dot(left, right))}`;
}

/** The softmax of a row at one entry: `e^1.2 / (e^1.2 + e^0.3 + … 9 more) = 0.23` */
export function softmaxSum(
  scores: ArrayLike<number>,
  { place, weight }: { readonly place: number; readonly weight: number },
  { more }: StageWords,
): string {
  if (scores[place] <= -1e8) return `e^(−∞) / Σ = ${format(weight)}`;
  const reachable = Array.from(scores).filter((score) => score > -1e8);
  const order = reachable.sort((a, b) => b - a);
  const terms = order.slice(0, shownTerms).map((score) => `e^${factor(score)}`);
  return `e^${factor(scores[place])} / (${withRest(terms, reachable.length, more)}) = ${format(weight)}`;
}

/** (x − μ) / √(σ² + ε): LayerNorm before its learned gain and bias. */
export function normalised(row: ArrayLike<number>, column: number, epsilon: number) {
  const mean = Array.from(row).reduce((sum, value) => sum + value, 0) / row.length;
  const variance = Array.from(row).reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length;
  const deviation = Math.sqrt(variance + epsilon);
  return { mean, deviation, value: (row[column] - mean) / deviation };
}

function withRest(terms: readonly string[], count: number, more: StageWords['more']): string {
  const rest = count - terms.length;
  return [...terms, ...(rest > 0 ? [more(rest)] : [])].join(' + ');
}
