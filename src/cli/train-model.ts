// A training run from files to a model folder: tokenizers, encoded pairs, the trainer and its store. Prints nothing.

import { HeedError } from '../base/error.ts';
import {
  type CleanReport,
  type EncodedPairs,
  encodePairs,
  type NumberedPair,
  readPairs,
  readTextFile,
} from '../data/index.ts';
import { type BleuScore, corpusBleu } from '../metrics/index.ts';
import type { StoredModel } from '../model/index.ts';
import { architectureOptions, transformerConfig } from '../nn/index.ts';
import type { ParameterSet } from '../runtime/index.ts';
import { compile } from '../runtime/node.ts';
import { learnTokenizerFromStream, type Tokenizer } from '../text/index.ts';
import { FolderStore, Trainer, type TrainerSetup, trainingOptions } from '../train/index.ts';
import { Translator } from '../translate/index.ts';
import { pickOptions, type Recipe } from './recipe.ts';

/** Parallel text that can be read more than once. */
export interface Corpus {
  readonly name: string;
  sourceLines(): AsyncIterable<string>;
  targetLines(): AsyncIterable<string>;
  pairs(): AsyncIterable<NumberedPair>;
}

export function corpusOfFiles(source: string, target: string): Corpus {
  return {
    name: `${source} and ${target}`,
    sourceLines: () => readTextFile(source),
    targetLines: () => readTextFile(target),
    pairs: () => readPairs({ source, target }),
  };
}

export interface TrainingRun {
  readonly recipe: Recipe;
  readonly folder: string;
  readonly corpus: Corpus;
  readonly valid: Corpus | undefined;
  /** What happened on the way, for the user. */
  readonly onPrepared: (prepared: Prepared) => void;
  readonly hooks: Pick<TrainerSetup, 'onEvent' | 'onProgress' | 'signal'>;
}

export interface Prepared {
  readonly report: CleanReport;
  readonly vocabularySizes: { readonly source: number; readonly target: number };
  readonly parameters: number;
}

/** Prepares the run and its trainer; nothing is written yet. */
export async function prepareTraining({
  recipe,
  folder,
  corpus,
  valid,
  onPrepared,
  hooks,
}: TrainingRun): Promise<Trainer> {
  const tokenizers = await learnTokenizers(corpus, recipe);
  const { pairs, report } = await encode(corpus, tokenizers, recipe);
  const validPairs = valid === undefined ? undefined : (await encode(valid, tokenizers, recipe)).pairs;
  const vocabularySizes = { source: tokenizers.source.size, target: tokenizers.target.size };
  const config = transformerConfig(pickOptions(architectureOptions, recipe), {
    sourceVocabularySize: vocabularySizes.source,
    targetVocabularySize: vocabularySizes.target,
  });
  const model: Omit<StoredModel, 'parameters'> = {
    config,
    sourceTokenizer: tokenizers.source,
    targetTokenizer: tokenizers.target,
    generation: { beam: 4, lengthPenalty: 'gnmt:0.6' },
    training: JSON.parse(JSON.stringify(recipe)),
  };
  const trainer = await Trainer.create({
    compile,
    config,
    options: pickOptions(trainingOptions, recipe),
    pairs,
    validPairs,
    ids: tokenizers,
    store: new FolderStore(folder, model),
    ...(valid !== undefined && recipe.validBleu ? { scoreTranslations: await bleuOf(valid, model, recipe) } : {}),
    ...hooks,
  });
  onPrepared({ report, vocabularySizes, parameters: trainer.parameters.size });
  return trainer;
}

interface Tokenizers {
  readonly source: Tokenizer;
  readonly target: Tokenizer;
}

async function learnTokenizers(corpus: Corpus, recipe: Recipe): Promise<Tokenizers> {
  const { merges, split, lowercase, normalization } = recipe;
  const learn = (lines: AsyncIterable<string>) =>
    learnTokenizerFromStream(lines, { merges, split, lowercase, normalization });
  if (recipe.vocabulary === 'joint') {
    const joint = await learn(bothSides(corpus));
    return { source: joint, target: joint };
  }
  return { source: await learn(corpus.sourceLines()), target: await learn(corpus.targetLines()) };
}

async function* bothSides(corpus: Corpus): AsyncGenerator<string> {
  yield* corpus.sourceLines();
  yield* corpus.targetLines();
}

async function encode(
  corpus: Corpus,
  { source, target }: Tokenizers,
  { maxLength, maxRatio }: Recipe,
): Promise<{ pairs: EncodedPairs; report: CleanReport }> {
  return encodePairs(corpus.pairs(), {
    encodeSource: (text) => source.encode(text),
    encodeTarget: (text) => target.encode(text),
    clean: { maxLength, maxRatio },
  });
}

/** The validation score of a model in training: BLEU of its greedy translations of the held-out text. */
async function bleuOf(valid: Corpus, model: Omit<StoredModel, 'parameters'>, recipe: Recipe) {
  const sources: string[] = [];
  const references: string[] = [];
  for await (const { source, target } of valid.pairs()) {
    sources.push(source);
    references.push(target);
  }
  let tried: { parameters: ParameterSet; translator: Translator } | undefined;
  return async (current: ParameterSet): Promise<{ bleu: number; signature: string }> => {
    if (tried === undefined) {
      const parameters = current.copy();
      tried = { parameters, translator: new Translator({ ...model, parameters }, { compile, weights: 'fed' }) };
    }
    tried.parameters.data.set(current.data);
    const hypotheses = await tried.translator.translate(sources, { beam: 1 });
    const score: BleuScore = corpusBleu(hypotheses, [references], {
      tokenizer: recipe.bleuTokenize,
      lowercase: recipe.lowercase,
    });
    return { bleu: score.score, signature: score.signature };
  };
}

/** Both validation files or neither. */
export function validCorpus({ validSource, validTarget }: Recipe): Corpus | undefined {
  if ((validSource === undefined) !== (validTarget === undefined)) {
    throw new HeedError('train', 'validation needs both --valid-source and --valid-target.');
  }
  return validSource === undefined || validTarget === undefined ? undefined : corpusOfFiles(validSource, validTarget);
}
