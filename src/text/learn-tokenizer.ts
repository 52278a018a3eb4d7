// Learning a tokenizer from text: count words, choose characters, learn merges. Keeps the distinct words in memory, not the text.

import { HeedError } from '../base/error.ts';
import { learnMerges } from './bpe-learn.ts';
import { type NormalizerOptions, normalize } from './normalizer.ts';
import { bytePieces, checkControlTokens, reservedPieces, spaceMark, standardControlTokens } from './pieces.ts';
import { Tokenizer } from './tokenizer.ts';
import { WordCounts } from './word-counts.ts';
import { splitWords, type WordSplit } from './words.ts';

export interface LearnOptions extends NormalizerOptions {
  /** How many merges to learn. Give either this or `vocabularySize`. */
  merges?: number;
  /** How many pieces to have in all: control tokens, 256 bytes, characters, merged pieces. */
  vocabularySize?: number;
  /** Pairs that occur less often are not merged. Default 2. */
  minimumFrequency?: number;
  /** Characters that occur less often get no piece of their own and go by their bytes. Default 2. */
  minimumCharacterFrequency?: number;
  /** Control tokens besides `<pad>`, `<s>`, `</s>`, such as `>>de<<`. */
  controlTokens?: readonly string[];
  /** Where words end. Default `categories`; use `spaces` for text that is tokenised already. */
  split?: WordSplit;
}

/**
 * Learns a tokenizer. The same lines and options give the same tokenizer; fewer merges than requested are learned when no
 * pair is frequent enough. For a vocabulary shared by two languages, give the lines of both.
 * @throws HeedError for options out of range
 */
export function learnTokenizer(lines: Iterable<string>, options: LearnOptions): Tokenizer {
  const learning = new Learning(options);
  for (const line of lines) learning.add(line);
  return learning.finish();
}

/** The same from lines that arrive over time, such as `readLines` gives. */
export async function learnTokenizerFromStream(
  lines: AsyncIterable<string>,
  options: LearnOptions,
): Promise<Tokenizer> {
  const learning = new Learning(options);
  for await (const line of lines) learning.add(line);
  return learning.finish();
}

class Learning {
  private readonly options: Required<Omit<LearnOptions, 'merges' | 'vocabularySize' | 'controlTokens'>>;
  private readonly maxMerges: number;
  private readonly vocabularySize: number;
  private readonly controlTokens: readonly string[];
  private readonly words = new WordCounts();

  constructor({
    merges,
    vocabularySize,
    minimumFrequency = 2,
    minimumCharacterFrequency = 2,
    controlTokens = [],
    split = 'categories',
    normalization = 'none',
    lowercase = false,
  }: LearnOptions) {
    if ((merges === undefined) === (vocabularySize === undefined))
      throw new HeedError('learnTokenizer', 'give either merges or vocabularySize, and not both.');
    this.maxMerges = wholeNumber('merges', merges, 0) ?? Number.POSITIVE_INFINITY;
    this.vocabularySize = wholeNumber('vocabularySize', vocabularySize, 0) ?? Number.POSITIVE_INFINITY;
    wholeNumber('minimumFrequency', minimumFrequency, 1);
    wholeNumber('minimumCharacterFrequency', minimumCharacterFrequency, 1);
    this.controlTokens = [...standardControlTokens, ...controlTokens];
    checkControlTokens('learnTokenizer', this.controlTokens);
    this.options = { minimumFrequency, minimumCharacterFrequency, split, normalization, lowercase };
  }

  add(line: string): void {
    for (const word of splitWords(normalize(line, this.options), this.options.split)) this.words.add(word);
  }

  finish(): Tokenizer {
    const { minimumFrequency, minimumCharacterFrequency, split, normalization, lowercase } = this.options;
    const { controlTokens, maxMerges } = this;
    const characters = frequentCharacters(this.words.counts, minimumCharacterFrequency);
    const basicSize = controlTokens.length + bytePieces.length + characters.length;
    if (basicSize > this.vocabularySize)
      throw new HeedError(
        'learnTokenizer',
        `vocabularySize must be at least ${basicSize} for ${controlTokens.length} control tokens, 256 bytes and ` +
          `${characters.length} characters, got ${this.vocabularySize}; raise it or minimumCharacterFrequency.`,
      );
    const merges = learnMerges(this.words.counts, {
      characters,
      maxMerges,
      maxPieces: this.vocabularySize - controlTokens.length - bytePieces.length,
      minimumFrequency,
      reserved: reservedPieces(controlTokens),
    });
    return new Tokenizer({ controlTokens, characters, merges, split, normalization, lowercase });
  }
}

/** The characters that occur often enough, as pieces, by code point; ▁ for the space always among them. */
function frequentCharacters(words: ReadonlyMap<string, number>, minimumFrequency: number): string[] {
  const counts = new Map<string, number>();
  for (const [word, count] of words)
    for (const character of word) counts.set(character, (counts.get(character) ?? 0) + count);
  const frequent = [...counts].filter(([, count]) => count >= minimumFrequency).map(([character]) => character);
  const pieces = new Set([spaceMark, ...frequent.filter((character) => character !== ' ')]);
  return [...pieces].sort((a, b) => a.codePointAt(0)! - b.codePointAt(0)!);
}

function wholeNumber(name: string, value: number | undefined, minimum: number): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= minimum)) return value;
  throw new HeedError('learnTokenizer', `${name} must be a whole number of at least ${minimum}, got ${value}.`);
}
