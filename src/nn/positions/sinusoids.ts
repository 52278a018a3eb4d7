// Section 3.5: sinusoids, added to the embeddings. They are computed in the graph, so the length is not limited by a table.

import { HeedError } from '../../base/error.ts';
import { add, concatenate, cos, dimension, reshape, sin, type Tensor, unsqueeze } from '../../tensor/index.ts';
import { anglesOf } from './angles.ts';
import type { PositionScheme } from './scheme.ts';

/** PE(pos, 2i) = sin(pos / 10000^(2i/D)), PE(pos, 2i+1) = cos(pos / 10000^(2i/D)); positions [T] → [T, D] */
export function interleavedSinusoids(positions: Tensor, dModel: number): Tensor {
  const angles = anglesOf(positions, dModel / 2, (i) => 10000 ** ((-2 * i) / dModel)); // [T, D/2]
  const each = unsqueeze(angles, -1); // [T, D/2, 1]
  const pairs = concatenate([sin(each), cos(each)], -1); // [T, D/2, 2]
  return reshape(pairs, [dimension(positions, 0), dModel]);
}

/** As in the paper's code: all sines, then all cosines, wavelengths from 2π to 10000 · 2π; positions [T] → [T, D] */
export function concatenatedSinusoids(positions: Tensor, dModel: number): Tensor {
  const steps = Math.max(dModel / 2 - 1, 1);
  const angles = anglesOf(positions, dModel / 2, (i) => 10000 ** (-i / steps)); // [T, D/2]
  return concatenate([sin(angles), cos(angles)], -1);
}

export const interleaved = sinusoids(interleavedSinusoids);
export const concatenated = sinusoids(concatenatedSinusoids);

function sinusoids(encoding: (positions: Tensor, dModel: number) => Tensor): PositionScheme {
  return {
    create: (scope, { dModel }) => ({
      embed: (x, at) => add(x, scope.result('encoding', encoding(at, dModel))),
    }),
    check({ dModel }) {
      if (dModel % 2 !== 0) throw new HeedError('positions', `sinusoids need an even dModel, got ${dModel}.`);
    },
  };
}
