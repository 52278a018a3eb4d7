// The tokenizers of a run: learned from its corpora, kept as JSON.

import { textHash } from '../data/index.ts';
import { readFileIfAny, writeFileAtomically } from '../model/node.ts';
import { learnTokenizerFromStream, Tokenizer, tagFor } from '../text/index.ts';
import type { Corpus } from './corpora.ts';
import type { Recipe } from './recipe.ts';
import type { DataHash } from './run-file.ts';

export interface Tokenizers {
  readonly source: Tokenizer;
  /** The same object as `source` where both sides share one. */
  readonly target: Tokenizer;
}

/** What `parseTokenizers` reads. */
export function formatTokenizers({ source, target }: Tokenizers): object {
  return source === target ? { joint: source } : { source, target };
}

/** @param place the file's name, for error messages @throws HeedError if a tokenizer is missing or damaged */
export function parseTokenizers(
  { joint, source, target }: { readonly joint?: unknown; readonly source?: unknown; readonly target?: unknown },
  place: string,
): Tokenizers {
  const read = (tokenizer: unknown) => Tokenizer.fromJSON(JSON.stringify(tokenizer ?? {}), place);
  if (joint === undefined) return { source: read(source), target: read(target) };
  const shared = read(joint);
  return { source: shared, target: shared };
}

export async function learnTokenizers(corpora: readonly Corpus[], recipe: Recipe): Promise<Tokenizers> {
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

/** Tokenizers in a shared cache folder, under a name that says what they were learned from and how. */
export class TokenizerCache {
  private readonly path: string;

  constructor(folder: string, corpora: readonly Corpus[], recipe: Recipe, hashes: readonly DataHash[]) {
    const { vocabulary, merges, split, lowercase, normalization } = recipe;
    const options = { vocabulary, merges, split, lowercase, normalization, languages: languagesOf(corpora) };
    const contents = hashes.map(({ sha256 }) => sha256);
    this.path = `${folder}/tokenizers-${textHash(JSON.stringify({ options, contents })).slice(0, 16)}.json`;
  }

  async read(): Promise<Tokenizers | undefined> {
    const bytes = await readFileIfAny(this.path);
    return bytes && parseTokenizers(JSON.parse(new TextDecoder().decode(bytes)), this.path);
  }

  write(tokenizers: Tokenizers): Promise<void> {
    return writeFileAtomically(this.path, JSON.stringify(formatTokenizers(tokenizers)));
  }
}
