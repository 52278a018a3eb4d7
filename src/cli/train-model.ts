// A training run from text to a model folder: tokenizers, encoded pairs, the trainer and its store. Prints nothing.

import { augmentation, type CleanReport } from '../data/index.ts';
import { directionsOf, type JsonObject, type StoredModel } from '../model/index.ts';
import { makeFolder, removeEmptyFolder } from '../model/node.ts';
import { architectureOptions, type TransformerConfig, transformerConfig } from '../nn/index.ts';
import { compile } from '../runtime/node/index.ts';
import { checkOptions, FolderStore, Trainer, type TrainerSetup, trainingOptions } from '../train/index.ts';
import { startAdamThread } from '../train/node.ts';
import { type Corpus, cachedPairs, dataHashes, encodeInMemory } from './corpora.ts';
import { heldOutTranslations } from './held-out.ts';
import { pickOptions, type Recipe } from './recipe.ts';
import { checkSameData, type Run, runName, writeRun } from './run-file.ts';
import { learnTokenizers, TokenizerCache, type Tokenizers } from './tokenizers.ts';

export interface TrainingRun {
  readonly recipe: Recipe;
  readonly folder: string;
  readonly corpora: readonly Corpus[];
  readonly valid: Corpus | undefined;
  /** The run that the folder holds, to go on with. */
  readonly resumed: Run | undefined;
  /** What happened on the way, for the user. */
  readonly onPrepared: (prepared: Prepared) => void;
  readonly hooks: Pick<TrainerSetup, 'onEvent' | 'onProgress' | 'signal'>;
}

export interface Prepared {
  /** A corpus each. */
  readonly reports: readonly CleanReport[];
  readonly vocabularySizes: { readonly source: number; readonly target: number };
  readonly parameters: number;
  /** Of the first epoch. */
  readonly updatesPerEpoch: number;
  /** Share of the first epoch's tokens that only pad. */
  readonly padding: number;
  /** Pairs that are longer than maxTokens. */
  readonly leftOut: number;
}

/**
 * Prepares the run and its trainer, up to the first step. The run's record is written last: until it is there, a killed
 * preparation is begun anew, with the cache if that was finished. If the options or the text are refused, nothing is left.
 */
export async function prepareTraining(setup: TrainingRun): Promise<Trainer> {
  const { recipe, folder, corpora, valid, resumed } = setup;
  checkOptions(pickOptions(trainingOptions, recipe), { hasValidation: valid !== undefined });
  const hashes = await dataHashes(corpora, valid);
  if (resumed !== undefined) checkSameData(resumed.data, hashes);
  const shared = recipe.cache === undefined ? undefined : new TokenizerCache(recipe.cache, corpora, recipe, hashes);
  const known = resumed?.tokenizers ?? (await shared?.read());
  const tokenizers = known ?? (await learnTokenizers(corpora, recipe));
  const run: Run = { recipe, data: hashes, tokenizers };
  try {
    const trainer = await createTrainer(setup, run);
    if (known === undefined) await shared?.write(tokenizers);
    await makeFolder(`${folder}/training`);
    await writeRun(folder, run);
    return trainer;
  } catch (error) {
    await removeEmptyFolder(`${folder}/training`);
    await removeEmptyFolder(folder);
    throw error;
  }
}

async function createTrainer({ folder, corpora, valid, onPrepared, hooks }: TrainingRun, run: Run): Promise<Trainer> {
  const { recipe, data: hashes, tokenizers } = run;
  const config = configOf(recipe, tokenizers);
  const training: JsonObject = JSON.parse(JSON.stringify(recipe));
  const model: Omit<StoredModel, 'parameters'> = {
    config,
    sourceTokenizer: tokenizers.source,
    targetTokenizer: tokenizers.target,
    generation: { beam: 4, lengthPenalty: 'gnmt:0.6' },
    training,
    directions: directionsOf(tokenizers.source, training),
  };
  const validPairs = valid === undefined ? undefined : await encodeInMemory(valid, tokenizers, recipe);
  const translateHeldOut = valid && (await heldOutTranslations(valid, model, recipe));
  const cacheFolder = recipe.cache ?? `${folder}/training`;
  const { pairs, reports } = await cachedPairs(corpora, tokenizers, { recipe, hashes, folder: cacheFolder });
  const trainer = await Trainer.create({
    compile,
    config,
    options: pickOptions(trainingOptions, recipe),
    pairs,
    corpora: corpora.map(({ weight }, i) => ({ pairs: reports[i].kept, weight })),
    augment: augmentation(tokenizers, recipe),
    validPairs,
    ids: tokenizers,
    store: new FolderStore(folder, model, runName(run)),
    ...(recipe.threads !== 1 && { startAdamHelper: startAdamThread }),
    ...(translateHeldOut && { translateHeldOut }),
    ...hooks,
  });
  const { batches } = trainer;
  onPrepared({
    reports,
    vocabularySizes: { source: tokenizers.source.size, target: tokenizers.target.size },
    parameters: trainer.parameters.size,
    updatesPerEpoch: Math.ceil(batches.epoch(1).batches.length / recipe.accumulate),
    padding: batches.padding(1),
    leftOut: batches.epoch(1).leftOut,
  });
  return trainer;
}

/** @throws HeedError if options of the architecture contradict each other */
export function configOf(recipe: Recipe, { source, target }: Tokenizers): TransformerConfig {
  return transformerConfig(pickOptions(architectureOptions, recipe), {
    sourceVocabularySize: source.size,
    targetVocabularySize: target.size,
  });
}
