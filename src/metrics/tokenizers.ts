// The tokenizers of BLEU, token for token those of sacreBLEU, oddities included: published scores depend on them.
// Letters, punctuation and symbols follow the Unicode version of the JavaScript engine.

import { splitOnWhiteSpace, trim, trimEnd } from './python-text.ts';

/**
 * - `13a`: mteval-v13a, the default, for languages with blanks between words
 * - `intl`: mteval-v14, splits off all Unicode punctuation and symbols
 * - `zh`: every Chinese character a token, the rest as in 13a
 * - `char`: every character a token
 * - `none`: split at white space only
 */
export const BLEU_TOKENIZERS = ['13a', 'intl', 'zh', 'char', 'none'] as const;

export type BleuTokenizer = (typeof BLEU_TOKENIZERS)[number];

const TOKENIZERS: Readonly<Record<BleuTokenizer, (line: string) => string[]>> = {
  '13a': tokenize13a,
  intl: tokenizeInternational,
  zh: tokenizeChinese,
  char: (line) => splitOnWhiteSpace(Array.from(line).join(' ')),
  none: splitOnWhiteSpace,
};

/** The tokens of one line: `tokenize('Hello, world.', '13a')` is `['Hello', ',', 'world', '.']`. */
export function tokenize(line: string, tokenizer: BleuTokenizer): string[] {
  return TOKENIZERS[tokenizer](trimEnd(line));
}

function tokenize13a(line: string): string[] {
  const joined = line.replaceAll('<skipped>', '').replaceAll('-\n', '').replaceAll('\n', ' ');
  const unescaped = joined
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
  return tokenizeWestern(` ${unescaped} `);
}

/** The language-dependent half of 13a, which zh shares: ASCII punctuation, numbers kept whole (`1,234.5`). */
function tokenizeWestern(line: string): string[] {
  return splitOnWhiteSpace(
    line
      .replace(/([{-~[-` -&(-+:-@/])/gu, ' $1 ')
      .replace(/([^0-9])([.,])/gu, '$1 $2 ')
      .replace(/([.,])([^0-9])/gu, ' $1 $2')
      .replace(/([0-9])(-)/gu, '$1 $2 '),
  );
}

/** A full stop after a number at the end of a line stays with the number, as in mteval-v14. */
function tokenizeInternational(line: string): string[] {
  return splitOnWhiteSpace(
    line
      .replace(/(\P{N})(\p{P})/gu, '$1 $2 ')
      .replace(/(\p{P})(\P{N})/gu, ' $1 $2')
      .replace(/(\p{S})/gu, ' $1 '),
  );
}

function tokenizeChinese(line: string): string[] {
  let spaced = '';
  for (const character of trim(line)) spaced += isChinese(character) ? ` ${character} ` : character;
  return tokenizeWestern(spaced);
}

// sacreBLEU's table means to hold the ideographs of Extension B (U+20000–2A6D6) and the Compatibility Supplement
// (U+2F800–2FA1D), but writes them so that Python reads U+2000 followed by "0". In effect U+2001–2A6D (dashes, curly
// quotes, €, arrows) are split off, U+2F81–2FA1 too, and the ideographs beyond U+FFFF are not.
const CHINESE_RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x2001, 0x2a6d],
  [0x2e80, 0x2eff], // radicals supplement
  [0x2f00, 0x2fdf], // Kangxi radicals
  [0x2ff0, 0x2fff], // character structure
  [0x3000, 0x303f], // punctuation
  [0x3100, 0x312f], // phonetic symbols
  [0x31a0, 0x31bf], // phonetic symbols of Taiwanese and Hakka
  [0x31c0, 0x31ef], // strokes
  [0x3200, 0x33ff], // enclosed and squared letters
  [0x3400, 0x4db5], // ideographs, extension A
  [0x4e00, 0x9fbb], // ideographs
  [0xf900, 0xfa2d], // compatibility ideographs
  [0xfa30, 0xfa6a],
  [0xfa70, 0xfad9],
  [0xfe10, 0xfe1f], // vertical forms
  [0xfe30, 0xfe4f], // compatibility forms
  [0xff00, 0xffef], // full-width and half-width forms
];

function isChinese(character: string): boolean {
  const code = character.codePointAt(0) as number;
  return CHINESE_RANGES.some(([first, last]) => first <= code && code <= last);
}
