// The tokenizers of a translation run: learned from its corpora, or found in a shared cache.

import { textHash } from '../../data/index.ts';
import { readFileIfAny, writeFileAtomically } from '../../model/node.ts';
import { learnTokenizerFromStream, tagFor } from '../../text/index.ts';
import type { DataHash } from '../run-file.ts';
import { formatTokenizers, parseTokenizers, type Tokenizers } from '../tokenizers.ts';
import type { Corpus } from './corpora.ts';
import type { TranslationRecipe } from './recipe.ts';

export async function learnTokenizers(corpora: readonly Corpus[], recipe: TranslationRecipe): Promise<Tokenizers> {
  const { merges, split, lowercase, normalization } = recipe;
  const controlTokens = [...new Set(languagesOf(corpora))].map(tagFor);
  const learn = (lines: AsyncIterable<string>) =>
    learnTokenizerFromStream(lines, { merges, split, lowercase, normalization, controlTokens });
  const sources = corpora.map((corpus) => corpus.sourceLines());
  const targets = corpora.map((corpus) => corpus.targetLines());
  if (recipe.vocabulary === 'separate')
    return { source: await learn(joined(sources)), target: await learn(joined(targets)) };
  const joint = await learn(joined([...sources, ...targets]));
  return { source: joint, target: joint };
}

async function* joined(streams: readonly AsyncIterable<string>[]): AsyncGenerator<string> {
  for (const stream of streams) yield* stream;
}

function languagesOf(corpora: readonly Corpus[]): string[] {
  return corpora.flatMap(({ targetLanguage }) => (targetLanguage === undefined ? [] : [targetLanguage]));
}

/** The tokenizers of a run: those in the recipe's cache folder that were learned from the same text, or newly learned ones. */
export class TokenizerCache {
  private learned: { readonly path: string; readonly tokenizers: Tokenizers } | undefined;

  constructor(
    private readonly recipe: TranslationRecipe,
    private readonly corpora: readonly Corpus[],
  ) {}

  async get(hashes: readonly DataHash[]): Promise<Tokenizers> {
    const { recipe, corpora } = this;
    if (recipe.cache === undefined) return learnTokenizers(corpora, recipe);
    const path = `${recipe.cache}/${cachedName(corpora, recipe, hashes)}`;
    const bytes = await readFileIfAny(path);
    if (bytes !== undefined) return parseTokenizers(JSON.parse(new TextDecoder().decode(bytes)), path);
    const tokenizers = await learnTokenizers(corpora, recipe);
    this.learned = { path, tokenizers };
    return tokenizers;
  }

  /** Writes what was newly learned. Apart from `get`, so that a run that is refused leaves nothing. */
  async keep(): Promise<void> {
    if (this.learned === undefined) return;
    const { path, tokenizers } = this.learned;
    await writeFileAtomically(path, JSON.stringify(formatTokenizers(tokenizers)));
  }
}

/** A name that says what tokenizers were learned from and how. */
function cachedName(corpora: readonly Corpus[], recipe: TranslationRecipe, hashes: readonly DataHash[]): string {
  const { vocabulary, merges, split, lowercase, normalization } = recipe;
  const options = { vocabulary, merges, split, lowercase, normalization, languages: languagesOf(corpora) };
  const contents = hashes.map(({ sha256 }) => sha256);
  return `tokenizers-${textHash(JSON.stringify({ options, contents })).slice(0, 16)}.json`;
}
