// The ids of a text within an output. Most words have two forms: after a space, ▁house, and inside a word or after
// punctuation, house.

import type { Tokenizer } from '../text/index.ts';

/** The text at the start of an output or after a space. */
export function atWordStart(tokenizer: Tokenizer, text: string): number[] {
  return [...tokenizer.encode(text)];
}

/** The text directly after other text. */
export function insideWord(tokenizer: Tokenizer, text: string): number[] {
  // A private-use character has no piece, and bytes never merge with what follows.
  const marked = tokenizer.encode(separator + text);
  return [...marked.subarray(tokenizer.encode(separator).length)];
}

/** Both, or one if they are equal. */
export function bothForms(tokenizer: Tokenizer, text: string): number[][] {
  const [start, inside] = [atWordStart(tokenizer, text), insideWord(tokenizer, text)];
  return start.join() === inside.join() ? [start] : [start, inside];
}

/** Whether a character's script has no spaces between words. */
export function isUnspaced(character: string): boolean {
  return unspacedScripts.test(character);
}

const separator = '\uE000';

const unspacedScripts =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
