// Rotary positions (Su et al. 2021). Not in the paper. Queries and keys are rotated by angles proportional to their position, so
// that their product depends on the distance only.

import { HeedError } from '../../base/error.ts';
import { add, concatenate, cos, dimension, multiply, scale, sin, slice, type Tensor } from '../../tensor/index.ts';
import { anglesOf } from './angles.ts';
import type { PositionScheme } from './scheme.ts';

/** Queries or keys [B, H, T, K] at positions [T] → [B, H, T, K] */
export function rotate(x: Tensor, positions: Tensor): Tensor {
  const width = Number(dimension(x, -1));
  const half = width / 2;
  const angles = anglesOf(positions, half, (i) => 10000 ** ((-2 * i) / width)); // [T, K/2]
  const [cosines, sines] = [concatenate([cos(angles), cos(angles)], -1), concatenate([sin(angles), sin(angles)], -1)];
  const first = slice(x, { axis: -1, start: 0, end: half });
  const second = slice(x, { axis: -1, start: half, end: width });
  const rotated = concatenate([scale(second, -1), first], -1); // a quarter turn of each pair (i, i + K/2)
  return add(multiply(x, cosines), multiply(rotated, sines));
}

export const rotary: PositionScheme = {
  create: () => ({ rotate }),
  check({ dKey }) {
    if (dKey % 2 !== 0) throw new HeedError('positions', `rotary positions need an even dKey, got ${dKey}.`);
  },
};
