// Translation: a model from parallel text. Prints nothing.

import {
  buildModel,
  type TransformerConfig,
  transformerConfig,
  transformerOptions,
} from '../../architectures/index.ts';
import { augmentation, type CleanReport, describeDropped } from '../../data/index.ts';
import { directionsOf, type JsonObject } from '../../model/index.ts';
import type { Trainer } from '../../train/index.ts';
import { modelGraph } from '../model-graph.ts';
import { prepareRun, type RunParts } from '../prepare-run.ts';
import { pickOptions } from '../recipe.ts';
import type { Run } from '../run-file.ts';
import type { DataReport, RunSetup } from '../task.ts';
import type { Tokenizers } from '../tokenizers.ts';
import { type Corpus, dataHashes, trainingCorpora, validationCorpus } from './corpora.ts';
import { cachedPairs, encodeInMemory } from './encoded-corpora.ts';
import { PairBatches, ValidationPairs } from './pair-batches.ts';
import { checkPositions } from './positions.ts';
import { pathOptions, type TranslationRecipe } from './recipe.ts';
import { TokenizerCache } from './tokenizers.ts';
import { validationTranslations } from './validation-translations.ts';

export const name = 'translate';

/** Parallel text of a run, where it is not what the recipe names. */
export interface TranslationData {
  readonly corpora: readonly Corpus[];
  readonly validation: Corpus | undefined;
}

/** @param data default: the files that the recipe names */
export function prepareTranslation(
  setup: RunSetup<TranslationRecipe>,
  data: TranslationData = dataOf(setup.recipe),
): Promise<Trainer> {
  const { recipe, folder } = setup;
  const cache = new TokenizerCache(recipe, data.corpora);
  return prepareRun({ name, paths: pathOptions }, setup, {
    hasValidation: data.validation !== undefined,
    hashes: () => dataHashes(data.corpora, data.validation),
    tokenizers: (hashes) => cache.get(hashes),
    parts: async (run) => {
      const parts = await partsOf(run, { recipe, folder, data });
      await cache.keep();
      return parts;
    },
  });
}

/** @throws HeedError unless the recipe names corpora, and validation text if any, that fit each other */
export function dataOf(recipe: TranslationRecipe): TranslationData {
  return { corpora: trainingCorpora(recipe), validation: validationCorpus(recipe) };
}

interface PartsSetup {
  readonly recipe: TranslationRecipe;
  readonly folder: string;
  readonly data: TranslationData;
}

async function partsOf({ data: hashes, tokenizers }: Run, { recipe, folder, data }: PartsSetup): Promise<RunParts> {
  const { corpora, validation } = data;
  const { labelSmoothing, maxTokens, seed } = recipe;
  const config = configOf(recipe, tokenizers);
  const network = buildModel(config);
  const training: JsonObject = JSON.parse(JSON.stringify(recipe));
  const model = {
    config,
    sourceTokenizer: tokenizers.source,
    targetTokenizer: tokenizers.target,
    generation: { beam: 4, lengthPenalty: 'gnmt:0.6' },
    training,
    directions: directionsOf(tokenizers.source, training),
  };
  const validationPairs = validation && (await encodeInMemory(validation, tokenizers, recipe));
  const taskMetrics = validation && (await validationTranslations(validation, model, recipe));
  const cacheFolder = recipe.cache ?? `${folder}/training`;
  const { pairs, reports } = await cachedPairs(corpora, tokenizers, { recipe, hashes, folder: cacheFolder });
  const batches = new PairBatches({
    pairs,
    corpora: partsOfCorpora(corpora, reports),
    augment: augmentation(tokenizers, recipe),
    ids: tokenizers,
    maxTokens,
    seed,
  });
  checkPositions(network, batches.lengths);
  const validationBatches =
    validationPairs && new ValidationPairs({ pairs: validationPairs, ids: tokenizers, maxTokens });
  if (validationBatches !== undefined) checkPositions(network, validationBatches.lengths);
  return {
    model,
    graph: modelGraph(buildModel(config, { dropout: true }), labelSmoothing),
    width: config.dModel,
    batches,
    validation: validationBatches && {
      graph: modelGraph(network, labelSmoothing),
      batches: validationBatches,
    },
    taskMetrics,
    data: reports.map(reportOf),
    vocabularySizes: [...new Set([tokenizers.source, tokenizers.target])].map(({ size }) => size),
  };
}

/** @throws HeedError if options of the architecture contradict each other */
export function configOf(recipe: TranslationRecipe, { source, target }: Tokenizers): TransformerConfig {
  return transformerConfig(pickOptions(transformerOptions, recipe), {
    sourceVocabularySize: source.size,
    targetVocabularySize: target.size,
  });
}

export function partsOfCorpora(corpora: readonly Corpus[], reports: readonly CleanReport[]) {
  return corpora.map(({ weight }, i) => ({ pairs: reports[i].kept, weight }));
}

function reportOf(report: CleanReport): DataReport {
  return { unit: 'pairs', read: report.read, used: report.kept, notes: describeDropped(report) };
}
