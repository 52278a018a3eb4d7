// Angles that grow with the place, each column with a frequency of its own: what sinusoids and rotations are made of.

import { constant, multiply, type Tensor, toFloat, unsqueeze } from '../../tensor/index.ts';

/** places [T] × frequencies [n] → [T, n] */
export function anglesOf(places: Tensor, count: number, frequency: (i: number) => number): Tensor {
  const frequencies = constant(
    [1, count],
    Array.from({ length: count }, (_, i) => frequency(i)),
  );
  return multiply(unsqueeze(toFloat(places), 1), frequencies);
}
