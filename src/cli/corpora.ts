// The parallel text of a recipe, and what is made of it before the first step: the encoded cache.

import { HeedError } from '../base/error.ts';
import { didYouMean } from '../base/nearest.ts';
import {
  type CleanReport,
  cacheVersion,
  EncodedPairs,
  encodePairs,
  fileHash,
  makeCache,
  type NumberedPair,
  openCache,
  type PairSink,
  type PairSource,
  readPairs,
  readTextFile,
  textHash,
} from '../data/index.ts';
import { makeFolder } from '../model/node.ts';
import { type Tokenizer, tagFor } from '../text/index.ts';
import type { Recipe } from './recipe.ts';
import type { DataHash } from './run-file.ts';
import type { Tokenizers } from './tokenizers.ts';

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
  /** What it holds, side by side. */
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

/** What a recipe learns from. @throws HeedError unless it names two files, or a list of corpora, and their languages alike */
export function trainingCorpora(recipe: Recipe): Corpus[] {
  const { source, target, corpora } = recipe;
  checkLanguages(recipe);
  if (corpora === undefined) {
    if (source !== undefined && target !== undefined) return [corpusOfFiles({ source, target })];
    throw new HeedError('train', 'needs both --source and --target, or a configuration file with corpora.');
  }
  if (source === undefined && target === undefined) return corpora.map(corpusOfFiles);
  throw new HeedError('train', 'takes source and target, or corpora, not both.');
}

function checkLanguages({ sourceLanguage, targetLanguage, corpora }: Recipe): void {
  if (corpora !== undefined && (sourceLanguage ?? targetLanguage) !== undefined)
    throw new HeedError('train', 'sourceLanguage and targetLanguage stand in each of corpora, not beside them.');
  if ((sourceLanguage === undefined) !== (targetLanguage === undefined))
    throw new HeedError('train', 'needs both --source-language and --target-language, or neither.');
  const tagged = corpora?.filter((corpus) => corpus.targetLanguage !== undefined) ?? [];
  if (tagged.length !== 0 && tagged.length !== corpora?.length)
    throw new HeedError('train', 'corpora must all have a targetLanguage, or none.');
}

/**
 * Held-out text, if the recipe has any.
 * @throws HeedError for one side without the other, or a language that is not one of the corpora’s
 */
export function validCorpus(recipe: Recipe): Corpus | undefined {
  const { validSource, validTarget, validTargetLanguage } = recipe;
  if ((validSource === undefined) !== (validTarget === undefined)) {
    throw new HeedError('train', 'validation needs both --valid-source and --valid-target.');
  }
  if (validSource !== undefined || validTargetLanguage !== undefined) checkValidLanguage(recipe);
  return validSource === undefined || validTarget === undefined
    ? undefined
    : corpusOfFiles({ source: validSource, target: validTarget, targetLanguage: validTargetLanguage });
}

function checkValidLanguage({ corpora = [], validTargetLanguage: language }: Recipe): void {
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

export interface Encoded {
  readonly pairs: PairSource;
  /** What was read and dropped, a corpus each. */
  readonly reports: readonly CleanReport[];
}

/** The training pairs out of their cache, which is made if it is not there. */
export async function cachedPairs(
  corpora: readonly Corpus[],
  tokenizers: Tokenizers,
  { recipe, hashes, folder }: { recipe: Recipe; hashes: readonly DataHash[]; folder: string },
): Promise<Encoded> {
  const path = `${folder}/cache-${cacheName(corpora, tokenizers, { recipe, hashes })}`;
  const made = await openCache(path);
  if (made !== undefined) return made;
  await makeFolder(folder);
  const vocabularySize = Math.max(tokenizers.source.size, tokenizers.target.size);
  return makeCache(path, vocabularySize, (sink) => encodeCorpora(corpora, tokenizers, { recipe, sink }));
}

/** A hash of everything that the encoded pairs depend on. */
function cacheName(
  corpora: readonly Corpus[],
  { source, target }: Tokenizers,
  { recipe: { maxLength, maxRatio }, hashes }: { recipe: Recipe; hashes: readonly DataHash[] },
): string {
  const languages = corpora.map(({ targetLanguage }) => targetLanguage ?? '');
  const contents = hashes.map(({ sha256 }) => sha256);
  const facts = JSON.stringify({ cacheVersion, contents, languages, maxLength, maxRatio });
  return textHash(facts, JSON.stringify(source), JSON.stringify(target)).slice(0, 16);
}

/** Encodes corpora one after the other into one sink. */
export async function encodeCorpora(
  corpora: readonly Corpus[],
  tokenizers: Tokenizers,
  { recipe: { maxLength, maxRatio }, sink }: { recipe: Recipe; sink: PairSink },
): Promise<CleanReport[]> {
  const { source, target } = tokenizers;
  const reports: CleanReport[] = [];
  for (const corpus of corpora) {
    const report = await encodePairs(corpus.pairs(), sink, {
      encodeSource: (text) => source.encode(text),
      encodeTarget: (text) => target.encode(text),
      tagId: tagIdOf(corpus, source),
      clean: { maxLength, maxRatio },
    });
    reports.push(report);
  }
  return reports;
}

/** Held-out pairs, in memory. */
export async function encodeInMemory(corpus: Corpus, tokenizers: Tokenizers, recipe: Recipe): Promise<PairSource> {
  const pairs = new EncodedPairs();
  await encodeCorpora([corpus], tokenizers, { recipe, sink: pairs });
  return pairs;
}

function tagIdOf({ targetLanguage }: Corpus, source: Tokenizer): number | undefined {
  return targetLanguage === undefined ? undefined : source.controlId(tagFor(targetLanguage));
}
