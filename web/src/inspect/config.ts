// The sizes and choices of a traced model, as far as it is of the paper's architecture.

import type { TransformerConfig } from '../../../src/architectures/index.ts';
import type { Trace } from '../../../src/translate/index.ts';

/** @throws an error for another architecture: the server answers with encoder–decoders only */
export function transformerConfigOf({ model: { config } }: Trace): TransformerConfig {
  if (config.kind !== 'encoder-decoder') throw new Error(`needs an encoder–decoder, got ${config.kind}`);
  return config as TransformerConfig;
}
