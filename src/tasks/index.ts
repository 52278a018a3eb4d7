// Training tasks, and the training of a model from text to a model folder.

export { averageCheckpoints } from './average.ts';
export { bundledModel } from './bundled-model.ts';
export { type DataCounts, type Estimate, type EstimateSetup, estimateRun } from './estimate.ts';
export { type LanguageModelRecipe, languageModelRecipe } from './language-model/index.ts';
export { prepareRun, type RunParts, type RunPlan } from './prepare-run.ts';
export { type ConfigFile, pickOptions, type Recipe, readConfigFile, requestedOptions } from './recipe.ts';
export { defaultTask, registeredTasks, registerTask, taskNamed } from './registry.ts';
export { type DataHash, type Run, readRun } from './run-file.ts';
export { SpeedMeter } from './speed.ts';
export type { DataReport, Prepared, RunHooks, RunSetup, Task } from './task.ts';
export type { Tokenizers } from './tokenizers.ts';
export {
  type RequestedRun,
  type RunRequest,
  requestedRun,
  runTraining,
  type TaskOptions,
  type TrainHooks,
  type TrainOptions,
  type TrainResult,
  train,
} from './train.ts';
export {
  type Corpus,
  modelGraph,
  PairBatches,
  type PairBatchesSetup,
  pairBatch,
  prepareTranslation,
  type TranslationData,
  type TranslationRecipe,
  translation,
  translationRecipe,
  ValidationPairs,
} from './translation/index.ts';
