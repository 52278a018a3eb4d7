// Where the order of a sequence enters a model (section 3.5). A scheme acts at one of three places: on the embeddings, on queries
// and keys, or on the scores of attention.

import type { Tensor } from '../../tensor/index.ts';
import type { LayerConfig } from '../layer-config.ts';
import type { Scope } from '../scope.ts';

/** The positions of one stack of layers. Places are int32 vectors, counted from 0. */
export interface Positions {
  /** Embeddings x [B, T, D] at places [T] → [B, T, D] */
  embed?(x: Tensor, at: Tensor): Tensor;
  /** Queries or keys x [B, H, T, K] at places [T] → [B, H, T, K] */
  rotate?(x: Tensor, at: Tensor): Tensor;
  /** What is added to the scores of queries at places [T or 1] for keys at places [S] → stretches to [B, H, T, S] */
  bias?(queryAt: Tensor, keyAt: Tensor): Tensor;
}

export interface PositionScheme {
  /** The positions of one stack, whose parameters are named by `scope`. */
  create(scope: Scope, config: LayerConfig): Positions;
  /** @throws HeedError for sizes that the scheme cannot have */
  check?(config: LayerConfig): void;
  /** Places that there are at most; default: any number. */
  maxPositions?(config: LayerConfig): number;
}

/** Most positions of a sequence in a model of these options; Infinity where there is no limit. */
export function maxPositionsOf(scheme: PositionScheme, config: LayerConfig): number {
  return scheme.maxPositions?.(config) ?? Number.POSITIVE_INFINITY;
}
