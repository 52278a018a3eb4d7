// The parallel text that a recipe names.

import { HeedError } from '../../base/error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { fileHash, type NumberedPair, readPairs, readTextFile } from '../../data/index.ts';
import type { DataHash } from '../run-file.ts';
import type { TranslationRecipe } from './recipe.ts';

/** Parallel text that can be read more than once. */
export interface Corpus {
  readonly name: string;
  /** Share of each epoch beside other corpora; default: as many pairs as it has. */
  readonly weight?: number | undefined;
  /** Named to the model by a tag before each source, where one model translates into several languages. */
  readonly targetLanguage?: string | undefined;
  sourceLines(): AsyncIterable<string>;
  targetLines(): AsyncIterable<string>;
  pairs(): AsyncIterable<NumberedPair>;
  /** The hash of each side. */
  hashes(): Promise<readonly DataHash[]>;
}

function corpusOfFiles({ source, target, ...rest }: CorpusFiles): Corpus {
  return {
    ...rest,
    name: `${source} and ${target}`,
    sourceLines: () => readTextFile(source),
    targetLines: () => readTextFile(target),
    pairs: () => readPairs({ source, target }),
    hashes: async () => [
      { role: 'source file', path: source, sha256: await fileHash(source) },
      { role: 'target file', path: target, sha256: await fileHash(target) },
    ],
  };
}

interface CorpusFiles extends Pick<Corpus, 'weight' | 'targetLanguage'> {
  readonly source: string;
  readonly target: string;
}

/** What a recipe learns from. @throws HeedError unless it names either two files or a list of corpora, with consistent languages */
export function trainingCorpora(recipe: TranslationRecipe): Corpus[] {
  const { source, target, corpora } = recipe;
  checkLanguages(recipe);
  if (corpora === undefined) {
    if (source !== undefined && target !== undefined) return [corpusOfFiles({ source, target })];
    throw new HeedError('train', 'needs both --source and --target, or a configuration file with corpora.');
  }
  if (source === undefined && target === undefined) return corpora.map(corpusOfFiles);
  throw new HeedError('train', 'takes source and target, or corpora, not both.');
}

function checkLanguages({ sourceLanguage, targetLanguage, corpora }: TranslationRecipe): void {
  if (corpora !== undefined && (sourceLanguage ?? targetLanguage) !== undefined)
    throw new HeedError('train', 'sourceLanguage and targetLanguage stand in each of corpora, not beside them.');
  if ((sourceLanguage === undefined) !== (targetLanguage === undefined))
    throw new HeedError('train', 'needs both --source-language and --target-language, or neither.');
  const tagged = corpora?.filter((corpus) => corpus.targetLanguage !== undefined) ?? [];
  if (tagged.length !== 0 && tagged.length !== corpora?.length)
    throw new HeedError('train', 'corpora must all have a targetLanguage, or none.');
}

/**
 * Validation text, if the recipe has any.
 * @throws HeedError for one side without the other, or a language that is not one of the corpora’s
 */
export function validationCorpus(recipe: TranslationRecipe): Corpus | undefined {
  const { validSource, validTarget, validTargetLanguage } = recipe;
  if ((validSource === undefined) !== (validTarget === undefined)) {
    throw new HeedError('train', 'validation needs both --valid-source and --valid-target.');
  }
  if (validSource !== undefined || validTargetLanguage !== undefined) checkValidLanguage(recipe);
  return validSource === undefined || validTarget === undefined
    ? undefined
    : corpusOfFiles({ source: validSource, target: validTarget, targetLanguage: validTargetLanguage });
}

function checkValidLanguage({ corpora = [], validTargetLanguage: language }: TranslationRecipe): void {
  const known = [...new Set(corpora.flatMap(({ targetLanguage }) => targetLanguage ?? []))];
  if (language === undefined && known.length === 0) return;
  if (known.length === 0)
    throw new HeedError('train', 'validTargetLanguage is for corpora with a targetLanguage each; leave it out.');
  if (language === undefined)
    throw new HeedError('train', `validation needs validTargetLanguage, which may be ${known.join(' or ')}.`);
  if (known.includes(language)) return;
  const suggestion = didYouMean(language, known) || '.';
  throw new HeedError('train', `validTargetLanguage must be ${known.join(' or ')}, got ${language}${suggestion}`);
}

/** The files of a run by their roles, as a resumed run checks them. */
export async function dataHashes(corpora: readonly Corpus[], valid: Corpus | undefined): Promise<DataHash[]> {
  const hashes: DataHash[] = [];
  for (const [i, corpus] of corpora.entries()) {
    const suffix = corpora.length === 1 ? '' : ` of corpus ${i + 1}`;
    for (const { role, ...rest } of await corpus.hashes()) hashes.push({ role: `${role}${suffix}`, ...rest });
  }
  for (const { role, ...rest } of (await valid?.hashes()) ?? []) hashes.push({ role: `validation ${role}`, ...rest });
  return hashes;
}
