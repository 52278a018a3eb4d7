// Text that must not be translated: addresses and placeholders. And whether a text has words at all.

import type { Span } from './spans.ts';

const urls = /(?:https?:\/\/|ftp:\/\/|mailto:|www\.)[^\s<>"“”„«»。，、；：！？（）「」『』《》【】]+/;
const emails = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u;
/** `%s`, `%1$s`, `%.2f`, `%(name)s`; not the `% d` of "5 % discount". */
const printf = /%(?:\d+\$)?(?:\([\p{L}\p{N}_.]+\))?[-+0#]*\d*(?:\.\d+)?(?:l{1,2}|h)?[sdifgxXuc@](?![\p{L}\p{N}])/u;
/** `{name}`, `{{name}}`, `{0}`, `${name}`, `%{name}`. */
const braces = /[$%#]?\{\{?\s?[\p{L}\p{N}_.:#/-]{1,60}\s?\}?\}/u;

const kept = new RegExp([urls, emails, printf, braces].map(({ source }) => source).join('|'), 'gu');

/**
 * The spans of addresses (URLs, e-mail) and placeholders (`%1$s`, `{name}`) in a text, in order. That of `See
 * (https://a.org/b).` excludes the brackets and the full stop.
 */
export function keptSpans(text: string): Span[] {
  return Array.from(text.matchAll(kept), ({ 0: match, index }) => {
    const length = /^[%{$#]/.test(match) ? match.length : addressLength(match);
    return { start: index, end: index + length };
  });
}

/**
 * Without the punctuation of the sentence around it. A closing bracket belongs to an address that also contains the
 * opening one: `https://en.wikipedia.org/wiki/Attention_(machine_learning)`
 */
function addressLength(address: string): number {
  let length = address.length;
  while (length > 0 && isClosing(address, length - 1)) length--;
  return length;
}

function isClosing(address: string, place: number): boolean {
  const sign = address[place];
  if (sign === ')') return !address.slice(address.lastIndexOf('/'), place).includes('(');
  return ".,;:!?'’]}…*".includes(sign);
}

/** A text without its addresses and placeholders. */
export function withoutKept(text: string): string {
  return text.replace(kept, ' ');
}

/** Whether there is anything to translate: a letter outside addresses and placeholders. `-`, `42`, `😀` have none. */
export function hasWords(text: string): boolean {
  return /\p{L}/u.test(text) && /\p{L}/u.test(withoutKept(text));
}
