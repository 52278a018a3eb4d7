// The tokenizer: text to ids and back, without loss. It never adds control tokens, and text never produces them.

import { HeedError } from '../base/error.ts';
import { didYouMean } from '../base/nearest.ts';
import type { Random } from '../base/random.ts';
import { BytePairEncoder } from './bpe.ts';
import { normalize } from './normalizer.ts';
import { endId, padId, spaceMark, startId, Vocabulary } from './pieces.ts';
import { type JsonObject, readTokenizerFile, type TokenizerParts, writeTokenizerFile } from './tokenizer-file.ts';
import { detached } from './word-counts.ts';
import { splitWords } from './words.ts';

export interface EncodeOptions {
  /** BPE dropout (Provilkov et al. 2020): the probability of skipping a merge, 0 (default) to 1. Needs `random`. */
  dropout?: number;
  random?: Random;
}

/** Learned by `learnTokenizer`, read by `Tokenizer.fromJSON`. */
export class Tokenizer {
  /** `<pad>`, `<s>` and `</s>`. */
  readonly padId = padId;
  readonly startId = startId;
  readonly endId = endId;
  private readonly vocabulary: Vocabulary;
  private readonly encoder: BytePairEncoder;
  private readonly cache = new Map<string, readonly number[]>();

  constructor(private readonly parts: TokenizerParts) {
    this.vocabulary = new Vocabulary(parts);
    this.encoder = new BytePairEncoder(this.vocabulary, parts.merges);
  }

  /**
   * Reads what `JSON.stringify(tokenizer)` gave.
   * @param place the file's name, for error messages
   * @throws HeedError if the text is cut off, is not one of our tokenizers, or contradicts itself
   */
  static fromJSON(text: string, place: string): Tokenizer {
    return new Tokenizer(readTokenizerFile(text, place));
  }

  /** The content of tokenizer.json, in the format of Hugging Face tokenizers. */
  toJSON(): JsonObject {
    return writeTokenizerFile(this.parts);
  }

  /** How many pieces there are; ids run from 0 to `size - 1`. */
  get size(): number {
    return this.vocabulary.size;
  }

  /** All control tokens in the order of their ids, `<pad>`, `<s>`, `</s>` first. */
  get controlTokens(): readonly string[] {
    return this.parts.controlTokens;
  }

  /** The id of a control token. @throws HeedError if there is no such control token */
  controlId(token: string): number {
    const id = this.controlTokens.indexOf(token);
    if (id >= 0) return id;
    const suggestion = didYouMean(token, this.controlTokens) || '.';
    const known = this.controlTokens.join(' ');
    throw new HeedError('tokenizer', `there is no control token ${JSON.stringify(token)}${suggestion} Known: ${known}`);
  }

  isControl(id: number): boolean {
    return this.vocabulary.isControl(id);
  }

  /**
   * The ids of a text, without control tokens: one space is put before it, it is cut into words, and each word is encoded.
   * @throws HeedError if dropout is not between 0 and 1, or is given without random
   */
  encode(text: string, { dropout = 0, random }: EncodeOptions = {}): Int32Array {
    const words = splitWords(normalize(text, this.parts), this.parts.split);
    const encodeWord = dropout === 0 ? (word: string) => this.encodeCached(word) : this.dropoutEncoder(dropout, random);
    const ids: number[] = [];
    for (const word of words) for (const id of encodeWord(word)) ids.push(id);
    return Int32Array.from(ids);
  }

  /**
   * The text of ids; `decode(encode(text))` is the text (after normalisation, if any). Control tokens give nothing, and
   * bytes that are not UTF-8, which a model may produce, give U+FFFD.
   * @throws HeedError if an id is not in the vocabulary
   */
  decode(ids: Iterable<number>): string {
    let text = '';
    let bytes: number[] = [];
    const flush = (): void => {
      if (bytes.length > 0) text += utf8.decode(Uint8Array.from(bytes));
      bytes = [];
    };
    for (const id of ids) {
      const piece = this.piece(id);
      if (this.isControl(id)) continue;
      const byte = this.vocabulary.byteOf(id);
      if (byte !== undefined) bytes.push(byte);
      else {
        flush();
        text += piece.replaceAll(spaceMark, ' ');
      }
    }
    flush();
    return text.startsWith(' ') ? text.slice(1) : text;
  }

  /** The ids as pieces for people to read: `▁hello`, `<0xE2>`, `</s>`. @throws HeedError if an id is not in the vocabulary */
  pieces(ids: Iterable<number>): string[] {
    return Array.from(ids, (id) => this.piece(id));
  }

  private piece(id: number): string {
    const piece = this.vocabulary.pieces[id];
    if (piece !== undefined) return piece;
    throw new HeedError(
      'tokenizer',
      `ids run from 0 to ${this.size - 1}, got ${id}; model and tokenizer do not match.`,
    );
  }

  private encodeCached(word: string): readonly number[] {
    const known = this.cache.get(word);
    if (known !== undefined) return known;
    const ids = this.encoder.encode(word);
    if (word.length > longestCachedWord) return ids;
    if (this.cache.size >= maxCachedWords) this.cache.clear();
    this.cache.set(detached(word), ids);
    return ids;
  }

  private dropoutEncoder(dropout: number, random: Random | undefined): (word: string) => readonly number[] {
    if (!(dropout >= 0 && dropout <= 1))
      throw new HeedError('tokenizer', `dropout is a probability between 0 and 1, got ${dropout}.`);
    if (random === undefined)
      throw new HeedError('tokenizer', 'dropout needs a source of randomness; give random too.');
    return (word) => this.encoder.encode(word, () => random.uniform() < dropout);
  }
}

/** `ignoreBOM` means that a byte-order mark is a character like any other. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const maxCachedWords = 100_000;
const longestCachedWord = 100;
