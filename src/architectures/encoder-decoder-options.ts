// The options of the paper's architecture. The defaults are the base model (table 3).

import { z } from 'zod';
import { HeedError } from '../base/error.ts';
import { parseOptions } from '../base/options.ts';
import { completeLayerConfig, type LayerConfig, layerOptions, mixers } from '../nn/index.ts';

const count = () => z.int().positive();
const id = () => z.int().min(0);

const { norm, positions, maxPositions, activation, attentionBias, layerNormEpsilon, ...rest } = layerOptions.shape;
const { dropout, attentionDropout, activationDropout, ...widths } = rest;

/** The options of a recipe; --help and the docs print their descriptions. */
export const transformerOptions = z.strictObject({
  ...widths,
  encoderLayers: count().default(6).describe('Layers of the encoder (N).'),
  decoderLayers: count().default(6).describe('Layers of the decoder (N).'),
  norm,
  positions,
  maxPositions,
  embeddings: z
    .enum(['tied', 'target', 'separate'])
    .default('tied')
    .describe('One matrix for source, target and softmax (the paper); target and softmax only; or three.'),
  decoderMixer: mixers
    .option()
    .default('attention')
    .describe('Mixer of the decoder layers: attention (the paper) or gru.'),
  activation,
  attentionBias,
  layerNormEpsilon,
  dropout,
  attentionDropout,
  activationDropout,
});

/** Values that follow from the tokenizers, not from a recipe. */
const vocabularyOptions = z.strictObject({
  sourceVocabularySize: count(),
  targetVocabularySize: count(),
  sourcePadId: id().default(0),
  targetPadId: id().default(0),
});

export const encoderDecoderOptions = z.strictObject({ ...transformerOptions.shape, ...vocabularyOptions.shape });

export interface TransformerConfig
  extends LayerConfig,
    Readonly<Omit<z.output<typeof encoderDecoderOptions>, keyof LayerConfig>> {
  readonly kind: 'encoder-decoder';
}

export interface Vocabulary {
  readonly sourceVocabularySize: number;
  readonly targetVocabularySize?: number;
  readonly sourcePadId?: number;
  readonly targetPadId?: number;
}

/** A complete and validated configuration. */
export function transformerConfig(
  options: z.input<typeof transformerOptions>,
  { sourceVocabularySize, targetVocabularySize = sourceVocabularySize, sourcePadId, targetPadId }: Vocabulary,
): TransformerConfig {
  const sizes = { sourceVocabularySize, targetVocabularySize, sourcePadId, targetPadId };
  const vocabulary = parseOptions(vocabularyOptions, sizes, 'architecture');
  return completeTransformerConfig({ ...parseOptions(transformerOptions, options, 'architecture'), ...vocabulary });
}

/** @throws HeedError for options that contradict each other */
export function completeTransformerConfig(options: z.output<typeof encoderDecoderOptions>): TransformerConfig {
  const { embeddings, sourceVocabularySize, targetVocabularySize } = options;
  const config = completeLayerConfig(options);
  if (embeddings === 'tied' && sourceVocabularySize !== targetVocabularySize) {
    const got = `got ${sourceVocabularySize} and ${targetVocabularySize}`;
    throw new HeedError('embeddings', `tied embeddings need one vocabulary for both sides, ${got}.`);
  }
  return { kind: 'encoder-decoder', ...config };
}
