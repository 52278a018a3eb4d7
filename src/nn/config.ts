// The architecture as numbers and choices. Every default is the paper's base model (table 3); each departure is an option.

import { z } from 'zod';
import { HeedError } from '../base/error.ts';
import { parseOptions } from '../base/options.ts';

const count = () => z.int().positive();
const rate = () => z.number().min(0).lt(1);

/** Options of the architecture; their descriptions are what --help and the docs print. */
export const architectureOptions = z.strictObject({
  dModel: count().default(512).describe('Width of embeddings and of every sub-layer (d_model).'),
  heads: count().default(8).describe('Attention heads (h).'),
  dKey: count().optional().describe('Width of a head’s queries and keys (d_k); default dModel / heads.'),
  dValue: count().optional().describe('Width of a head’s values (d_v); default dModel / heads.'),
  dInner: count().default(2048).describe('Inner width of the feed-forward networks (d_ff).'),
  encoderLayers: count().default(6).describe('Layers of the encoder (N).'),
  decoderLayers: count().default(6).describe('Layers of the decoder (N).'),
  norm: z
    .enum(['post', 'pre'])
    .default('post')
    .describe('Layer normalisation after each residual sum (the paper), or before each sub-layer and at the end.'),
  positions: z
    .enum(['interleaved', 'concatenated', 'learned', 'rotary', 'none'])
    .default('interleaved')
    .describe('Sinusoids as in the paper’s formula, or as in its code; a learned table; rotary; or none.'),
  maxPositions: count().default(1024).describe('Rows of the learned position table; longer input is an error.'),
  embeddings: z
    .enum(['tied', 'target', 'separate'])
    .default('tied')
    .describe('One matrix for source, target and softmax (the paper); target and softmax only; or three.'),
  activation: z.enum(['relu', 'gelu', 'swiglu']).default('relu').describe('Activation of the feed-forward networks.'),
  attentionBias: z.boolean().default(true).describe('Biases in the attention projections (the first code had them).'),
  layerNormEpsilon: z.number().positive().default(1e-6).describe('Added to the variance, inside the root.'),
  dropout: rate().default(0.1).describe('Dropout of sub-layer outputs and of embeddings plus positions (P_drop).'),
  attentionDropout: rate().default(0).describe('Dropout of attention weights; the paper has none.'),
  activationDropout: rate().default(0).describe('Dropout inside the feed-forward networks; the paper has none.'),
});

export interface TransformerConfig extends Required<z.output<typeof architectureOptions>> {
  readonly sourceVocabularySize: number;
  readonly targetVocabularySize: number;
  /** Ids that pad the source and the target: positions that nothing attends to. */
  readonly sourcePadId: number;
  readonly targetPadId: number;
}

export interface Vocabulary {
  readonly sourceVocabularySize: number;
  readonly targetVocabularySize?: number;
  readonly sourcePadId?: number;
  readonly targetPadId?: number;
}

/** A checked, complete configuration: defaults filled in, rules between options held. */
export function transformerConfig(
  options: z.input<typeof architectureOptions>,
  vocabulary: Vocabulary,
): TransformerConfig {
  const chosen = parseOptions(architectureOptions, options, 'architecture');
  const { dModel, heads } = chosen;
  if ((chosen.dKey === undefined || chosen.dValue === undefined) && dModel % heads !== 0) {
    const rule = 'dModel must be divisible by heads unless dKey and dValue are given';
    throw new HeedError('attention', `${rule}, got ${dModel} and ${heads}.`);
  }
  const config = {
    ...chosen,
    dKey: chosen.dKey ?? dModel / heads,
    dValue: chosen.dValue ?? dModel / heads,
    sourceVocabularySize: vocabulary.sourceVocabularySize,
    targetVocabularySize: vocabulary.targetVocabularySize ?? vocabulary.sourceVocabularySize,
    sourcePadId: vocabulary.sourcePadId ?? 0,
    targetPadId: vocabulary.targetPadId ?? 0,
  };
  checkRules(config);
  return config;
}

function checkRules(config: TransformerConfig): void {
  const { dModel, dKey, positions, embeddings, sourceVocabularySize, targetVocabularySize } = config;
  if (['interleaved', 'concatenated'].includes(positions) && dModel % 2 !== 0) {
    throw new HeedError('positions', `sinusoids need an even dModel, got ${dModel}.`);
  }
  if (positions === 'rotary' && dKey % 2 !== 0) {
    throw new HeedError('positions', `rotary positions need an even dKey, got ${dKey}.`);
  }
  if (embeddings === 'tied' && sourceVocabularySize !== targetVocabularySize) {
    const got = `got ${sourceVocabularySize} and ${targetVocabularySize}`;
    throw new HeedError('embeddings', `tied embeddings need one vocabulary for both sides, ${got}.`);
  }
}

/** The same architecture as it is used, not trained: nothing is dropped. */
export function withoutDropout(config: TransformerConfig): TransformerConfig {
  return { ...config, dropout: 0, attentionDropout: 0, activationDropout: 0 };
}
