// The translation task and its parts.

import type { Task } from '../task.ts';
import { estimateTranslation } from './estimate.ts';
import { presets } from './presets.ts';
import { pathOptions, type TranslationRecipe, translationRecipe } from './recipe.ts';
import { name, prepareTranslation } from './translation.ts';

export const translation: Task<TranslationRecipe> = {
  name,
  description: 'A translation model from parallel text: an encoder and a decoder.',
  recipe: translationRecipe,
  presets,
  paths: pathOptions,
  prepare: (setup) => prepareTranslation(setup),
  estimate: estimateTranslation,
};

export { modelGraph } from '../model-graph.ts';
export type { Corpus } from './corpora.ts';
export { PairBatches, type PairBatchesSetup, pairBatch, ValidationPairs } from './pair-batches.ts';
export { type TranslationRecipe, translationRecipe } from './recipe.ts';
export { prepareTranslation, type TranslationData } from './translation.ts';
