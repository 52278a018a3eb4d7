// The interface of feed-forward networks, which map each position on its own.

import type { Tensor } from '../../tensor/index.ts';
import type { LayerConfig } from '../layer-config.ts';
import type { Scope } from '../scope.ts';

export interface FeedForward {
  /** [B, T, D] → [B, T, D] */
  apply(x: Tensor): Tensor;
}

/** Builds the network of one layer, with parameters in `scope`. */
export type FeedForwardKind = (scope: Scope, config: LayerConfig) => FeedForward;
