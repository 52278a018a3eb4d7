// Corpora as encoded pairs: in a cache on disk for training, in memory for validation.

import {
  type CleanReport,
  cacheVersion,
  EncodedPairs,
  encodePairs,
  makeCache,
  openCache,
  type PairSink,
  type PairSource,
  textHash,
} from '../../data/index.ts';
import { makeFolder } from '../../model/node.ts';
import { type Tokenizer, tagFor } from '../../text/index.ts';
import type { DataHash } from '../run-file.ts';
import type { Tokenizers } from '../tokenizers.ts';
import type { Corpus } from './corpora.ts';
import type { TranslationRecipe } from './recipe.ts';

export interface Encoded {
  readonly pairs: PairSource;
  /** What was read and dropped, a corpus each. */
  readonly reports: readonly CleanReport[];
}

/** The training pairs from their cache, which is made if it does not exist. */
export async function cachedPairs(
  corpora: readonly Corpus[],
  tokenizers: Tokenizers,
  { recipe, hashes, folder }: { recipe: TranslationRecipe; hashes: readonly DataHash[]; folder: string },
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
  { recipe: { maxLength, maxRatio }, hashes }: { recipe: TranslationRecipe; hashes: readonly DataHash[] },
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
  { recipe: { maxLength, maxRatio }, sink }: { recipe: TranslationRecipe; sink: PairSink },
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

/** Validation pairs, in memory. */
export async function encodeInMemory(
  corpus: Corpus,
  tokenizers: Tokenizers,
  recipe: TranslationRecipe,
): Promise<PairSource> {
  const pairs = new EncodedPairs();
  await encodeCorpora([corpus], tokenizers, { recipe, sink: pairs });
  return pairs;
}

function tagIdOf({ targetLanguage }: Corpus, source: Tokenizer): number | undefined {
  return targetLanguage === undefined ? undefined : source.controlId(tagFor(targetLanguage));
}
