// The angles of sinusoidal and rotary positions: position times frequency.

import { constant, multiply, type Tensor, toFloat, unsqueeze } from '../../tensor/index.ts';

/** positions [T] × frequencies [n] → [T, n] */
export function anglesOf(positions: Tensor, count: number, frequency: (i: number) => number): Tensor {
  const frequencies = constant(
    [1, count],
    Array.from({ length: count }, (_, i) => frequency(i)),
  );
  return multiply(unsqueeze(toFloat(positions), 1), frequencies);
}
