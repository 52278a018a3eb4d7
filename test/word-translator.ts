// A translator that does what a good one would, by rote: words are looked up and put in a new order, and it tells truly which
// word came from which. For tests of everything that follows an alignment.

import type { Link, TranslatedSentence, TranslateSentences } from '../src/documents/index.ts';

export interface WordTranslatorOptions {
  /** Words that it does not list stay as they are. */
  dictionary?: Readonly<Record<string, string>>;
  /** The words of the sentence in their new order, by place; signs stay where they are. Default: as they were. */
  order?: (count: number) => readonly number[];
  /** Whether the words of the translation are written without spaces, as in Chinese. Default false. */
  isUnspaced?: boolean;
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly hasSpaceBefore: boolean;
}

/** Remembers what it was asked, in `asked`. */
export function wordTranslator(options: WordTranslatorOptions = {}): TranslateSentences & { asked: string[] } {
  const asked: string[] = [];
  const translate: TranslateSentences = async (sentences) => {
    asked.push(...sentences);
    return sentences.map((sentence) => translateWords(sentence, options));
  };
  return Object.assign(translate, { asked });
}

function translateWords(
  sentence: string,
  { dictionary = {}, order = inOrder, isUnspaced = false }: WordTranslatorOptions = {},
): TranslatedSentence {
  const tokens = tokensOf(sentence);
  const words = tokens.filter(isWord);
  const ordered = order(words.length).map((place) => words[place]);
  const links: Link[] = [];
  let text = '';
  for (const token of tokens) {
    const from = isWord(token) ? (ordered.shift() ?? token) : token;
    if (token.hasSpaceBefore && !isUnspaced) text += ' ';
    const start = text.length;
    text += dictionary[from.text] ?? from.text;
    links.push({
      source: { start: from.start, end: from.start + from.text.length },
      target: { start, end: text.length },
    });
  }
  return { text, links };
}

function tokensOf(sentence: string): Token[] {
  return Array.from(sentence.matchAll(token), ({ 0: text, index }) => ({
    text,
    start: index,
    hasSpaceBefore: /\s/.test(sentence.charAt(index - 1)),
  }));
}

/** A URL, a placeholder, a word, or a sign. */
const token = /https?:\/\/\S+[\p{L}\p{N}]|\{[^\s}]*\}|%\S*[a-z]|[\p{L}\p{M}\p{N}_]+|\S/gu;

function isWord({ text }: Token): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function inOrder(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

/** Last word first. */
export function backwards(count: number): number[] {
  return inOrder(count).reverse();
}
