// The task of language modelling and its parts.

import type { Task } from '../task.ts';
import { estimateLanguageModel, name, prepareLanguageModel } from './language-model.ts';
import { presets } from './presets.ts';
import { type LanguageModelRecipe, languageModelRecipe, pathOptions } from './recipe.ts';

export const languageModel: Task<LanguageModelRecipe> = {
  name,
  description: 'A language model from text: a decoder without an encoder.',
  recipe: languageModelRecipe,
  presets,
  paths: pathOptions,
  prepare: prepareLanguageModel,
  estimate: estimateLanguageModel,
};

export { type LanguageModelRecipe, languageModelRecipe } from './recipe.ts';
