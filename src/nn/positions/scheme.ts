// Position schemes give a model the order of a sequence (section 3.5): by the embeddings, by queries and keys, or by a bias of
// the attention scores.

import type { Tensor } from '../../tensor/index.ts';
import type { LayerConfig } from '../layer-config.ts';
import type { Scope } from '../scope.ts';

/** The position scheme of one stack of layers. Positions are int32 vectors, counted from 0. */
export interface Positions {
  /** Embeddings x [B, T, D] at positions [T] → [B, T, D] */
  embed?(x: Tensor, at: Tensor): Tensor;
  /** Queries or keys x [B, H, T, K] at positions [T] → [B, H, T, K] */
  rotate?(x: Tensor, at: Tensor): Tensor;
  /** A bias of the scores of queries at positions [T or 1] for keys at positions [S]; broadcasts to [B, H, T, S] */
  bias?(queryAt: Tensor, keyAt: Tensor): Tensor;
}

export interface PositionScheme {
  /** Builds the positions of one stack, with parameters in `scope`. */
  create(scope: Scope, config: LayerConfig): Positions;
  /** @throws HeedError for sizes that the scheme does not support */
  check?(config: LayerConfig): void;
  /** The largest number of positions; default: unlimited. */
  maxPositions?(config: LayerConfig): number;
}

/** The largest length of a sequence in a model of these options; Infinity if there is no limit. */
export function maxPositionsOf(scheme: PositionScheme, config: LayerConfig): number {
  return scheme.maxPositions?.(config) ?? Number.POSITIVE_INFINITY;
}
