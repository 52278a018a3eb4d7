// Section 3.5: positions. Sinusoids are computed in the graph, so there is no table to run past.

import {
  add,
  concatenate,
  constant,
  cos,
  dimension,
  gather,
  multiply,
  reshape,
  scale,
  sin,
  slice,
  type Tensor,
  toFloat,
  unsqueeze,
} from '../tensor/index.ts';
import type { TransformerConfig } from './config.ts';
import type { Scope } from './scope.ts';

/** What is added to the embeddings of one stack; nothing for rotary positions, which act inside attention. */
export class PositionalEncoding {
  private readonly table: Tensor | undefined;

  constructor(
    private readonly scope: Scope,
    private readonly config: TransformerConfig,
  ) {
    const { positions, maxPositions, dModel } = config;
    const initial = { kind: 'normal', deviation: dModel ** -0.5 } as const;
    if (positions === 'learned') this.table = scope.parameter('weight', [maxPositions, dModel], initial);
  }

  /** x [B, T, D], positions int32 [T] → x + PE(positions) */
  apply(x: Tensor, positions: Tensor): Tensor {
    const encoding = this.encoding(positions);
    return encoding === undefined ? x : add(x, this.scope.result('encoding', encoding));
  }

  /** positions int32 [T] → PE(positions) [T, D] */
  private encoding(positions: Tensor): Tensor | undefined {
    if (this.table !== undefined) return gather(this.table, positions);
    switch (this.config.positions) {
      case 'interleaved':
        return interleavedSinusoids(positions, this.config.dModel);
      case 'concatenated':
        return concatenatedSinusoids(positions, this.config.dModel);
      default:
        return undefined;
    }
  }
}

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

/** Su et al. 2021: queries and keys [B, H, T, K] turned by angles that grow with their position, so q·k sees distance only. */
export function rotate(x: Tensor, positions: Tensor): Tensor {
  const width = Number(dimension(x, -1));
  const half = width / 2;
  const angles = anglesOf(positions, half, (i) => 10000 ** ((-2 * i) / width)); // [T, K/2]
  const [cosines, sines] = [concatenate([cos(angles), cos(angles)], -1), concatenate([sin(angles), sin(angles)], -1)];
  const first = slice(x, { axis: -1, start: 0, end: half });
  const second = slice(x, { axis: -1, start: half, end: width });
  const turned = concatenate([scale(second, -1), first], -1); // a quarter turn of each pair (i, i + K/2)
  return add(multiply(x, cosines), multiply(turned, sines));
}

/** positions [T] × frequencies [n] → [T, n] */
function anglesOf(positions: Tensor, count: number, frequency: (i: number) => number): Tensor {
  const frequencies = constant(
    [1, count],
    Array.from({ length: count }, (_, i) => frequency(i)),
  );
  return multiply(unsqueeze(toFloat(positions), 1), frequencies);
}
