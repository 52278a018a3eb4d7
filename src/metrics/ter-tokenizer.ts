// The tokenizer of TER: Tercom's normaliser as sacreBLEU has it.

import { splitOnWhiteSpace, trimEnd } from './python-text.ts';

export interface TerOptions {
  /** Split off punctuation and unescape `&quot;` and the like. Default false. */
  readonly normalized: boolean;
  /** Remove punctuation. Default false. */
  readonly removePunctuation: boolean;
  /** With `normalized` split ideographs, with `removePunctuation` remove Asian punctuation too. Default false. */
  readonly asianSupport: boolean;
  /** Default false, unlike BLEU. */
  readonly caseSensitive: boolean;
}

/** The words TER compares. Without options: lower case, split at white space. */
export function tokenizeForTer(line: string, options: TerOptions): string[] {
  const { normalized, removePunctuation, asianSupport, caseSensitive } = options;
  let text = trimEnd(line);
  if (text === '') return [];
  if (!caseSensitive) text = text.toLowerCase();
  if (normalized) text = normalizeWestern(text);
  if (normalized && asianSupport) text = normalizeAsian(text);
  if (removePunctuation) text = text.replace(/[.,?:;!"()]/gu, '');
  if (removePunctuation && asianSupport) text = text.replace(ASIAN_PUNCTUATION, '');
  return splitOnWhiteSpace(text);
}

const ASIAN_PUNCTUATION =
  /([\u3001\u3002\u3008-\u3011\u3014-\u301f\u30fb\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\uff61-\uff65])/gu;

function normalizeWestern(text: string): string {
  const joined = text.replaceAll('\n-', '').replaceAll('\n', ' ');
  const unescaped = joined
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
  return ` ${unescaped} `
    .replace(/([{-~[-` -&(-+:-@/])/gu, ' $1 ')
    .replaceAll("'s ", " 's ")
    .replace(/([^0-9])([.,])/gu, '$1 $2 ')
    .replace(/([.,])([^0-9])/gu, ' $1 $2')
    .replace(/([0-9])(-)/gu, '$1 $2 ');
}

/**
 * Splits ideographs, strokes, radicals and enclosed letters one by one. The kana rules of the original ask for a kana at the
 * very start of the text, where normalizeWestern has put a blank: they never apply, and kana words stay whole.
 */
function normalizeAsian(text: string): string {
  return text
    .replace(/([\u2e80-\u2eff\u31c0-\u31ef\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f])/gu, ' $1 ')
    .replace(ASIAN_PUNCTUATION, ' $1 ');
}
