// What a feed-forward network is to a layer: a map of each position by itself.

import type { Tensor } from '../../tensor/index.ts';
import type { LayerConfig } from '../layer-config.ts';
import type { Scope } from '../scope.ts';

export interface FeedForward {
  /** [B, T, D] → [B, T, D] */
  apply(x: Tensor): Tensor;
}

/** Makes the network of one layer, whose parameters are named by `scope`. */
export type FeedForwardKind = (scope: Scope, config: LayerConfig) => FeedForward;
