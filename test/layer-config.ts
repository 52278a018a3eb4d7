// Options of a layer for tests, with the defaults for what is not given.

import type { z } from 'zod';
import { completeLayerConfig, type LayerConfig, layerOptions } from '../src/nn/index.ts';

export function layerConfig(options: z.input<typeof layerOptions>): LayerConfig {
  return completeLayerConfig(layerOptions.parse(options));
}
