// Splits a text into words before byte-pair encoding: merges never cross word boundaries. A space belongs to the word
// after it, and one space is put before every text that is not empty, so that "dog" is the same word at the start of a
// line and inside it.

/**
 * Where words end.
 * - `categories`: at spaces and between letters, numbers and everything else; a digit is a word of its own, a mark (accent,
 *   vowel sign, variation selector) stays with what it follows. ` The dog, 42.` is ` The`, ` dog`, `,`, ` 4`, `2`, `.`
 * - `spaces`: at spaces only, for text whose punctuation is already set apart, such as Moses-tokenised corpora.
 */
export type WordSplit = 'categories' | 'spaces';

/**
 * The regular expressions of the splits: each match is a word, and every character belongs to a match. They stand in the
 * tokenizer file too, with ▁ for the space, so they keep to the syntax that JavaScript and Oniguruma share.
 */
export const wordPatterns: Readonly<Record<WordSplit, string>> = {
  categories: ' ?\\p{L}[\\p{L}\\p{M}]*| ?\\p{N}\\p{M}*| ?[^ \\p{L}\\p{N}]+| ',
  spaces: ' ?[^ ]+| ',
};

const expressions: Readonly<Record<WordSplit, RegExp>> = {
  categories: new RegExp(wordPatterns.categories, 'gu'),
  spaces: new RegExp(wordPatterns.spaces, 'gu'),
};

/** The words of a text, whose concatenation is a space and the text. The empty text has none. */
export function splitWords(text: string, split: WordSplit): string[] {
  if (text === '') return [];
  return blocks(` ${text}`).flatMap((block) => block.match(expressions[split]) ?? []);
}

/** A run of some ten million letters overflows the regular expression's stack, so a huge text is cut into blocks first. */
function blocks(text: string): string[] {
  return text.length <= 200_000 ? [text] : (text.match(/.{1,200000}/gsu) ?? []);
}
