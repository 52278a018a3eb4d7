// Options of the layers, shared by all architectures. The defaults are the paper's base model (table 3).

import { z } from 'zod';
import { HeedError } from '../base/error.ts';
import { feedForwards } from './feed-forward/registry.ts';
import type { LayerConfig } from './layer-config.ts';
import { positionSchemes } from './positions/registry.ts';

const count = () => z.int().positive();
const rate = () => z.number().min(0).lt(1);

/** Their descriptions are what --help and the docs print. */
export const layerOptions = z.strictObject({
  dModel: count().default(512).describe('Width of embeddings and of every sub-layer (d_model).'),
  heads: count().default(8).describe('Attention heads (h).'),
  dKey: count().optional().describe('Width of a head’s queries and keys (d_k); default dModel / heads.'),
  dValue: count().optional().describe('Width of a head’s values (d_v); default dModel / heads.'),
  dInner: count().default(2048).describe('Inner width of the feed-forward networks (d_ff).'),
  norm: z
    .enum(['post', 'pre'])
    .default('post')
    .describe('Layer normalisation after each residual sum (the paper), or before each sub-layer and at the end.'),
  positions: positionSchemes
    .option()
    .default('interleaved')
    .describe('Sinusoids as in the paper’s formula, or as in its code; a learned table; rotary; or none.'),
  maxPositions: count().default(1024).describe('Rows of the learned position table; longer input is an error.'),
  activation: feedForwards.option().default('relu').describe('Activation of the feed-forward networks.'),
  attentionBias: z
    .boolean()
    .default(true)
    .describe('Biases in the attention projections (the paper’s formula has none).'),
  layerNormEpsilon: z.number().positive().default(1e-6).describe('Added to the variance inside the square root.'),
  dropout: rate().default(0.1).describe('Dropout of sub-layer outputs and of embeddings plus positions (P_drop).'),
  attentionDropout: rate().default(0).describe('Dropout of attention weights; none in the paper.'),
  activationDropout: rate().default(0).describe('Dropout inside the feed-forward networks; none in the paper.'),
});

/**
 * * Fills in the widths of a head and checks the options against each other.
 * @throws HeedError naming the rule and the values
 */
export function completeLayerConfig<C extends z.output<typeof layerOptions>>(
  chosen: C,
): C & Pick<LayerConfig, 'dKey' | 'dValue'> {
  const { dModel, heads } = chosen;
  if ((chosen.dKey === undefined || chosen.dValue === undefined) && dModel % heads !== 0) {
    const rule = 'dModel must be divisible by heads unless dKey and dValue are given';
    throw new HeedError('attention', `${rule}, got ${dModel} and ${heads}.`);
  }
  const config = { ...chosen, dKey: chosen.dKey ?? dModel / heads, dValue: chosen.dValue ?? dModel / heads };
  positionSchemes.get(config.positions).check?.(config);
  return config;
}

/** The same configuration for inference: no dropout. */
export function withoutDropout<C extends LayerConfig>(config: C): C {
  return { ...config, dropout: 0, attentionDropout: 0, activationDropout: 0 };
}
