// A text as the ids that stand for it within an output. Most pieces come in two forms: at the start of a word, ▁house,
// and inside one or behind a sign, house.

import type { Tokenizer } from '../text/index.ts';

/** The text as it stands at the start of an output or behind a space. */
export function atWordStart(tokenizer: Tokenizer, text: string): number[] {
  return [...tokenizer.encode(text)];
}

/** The text as it stands directly behind something else. */
export function insideWord(tokenizer: Tokenizer, text: string): number[] {
  // A private-use character has no piece, and bytes never merge with what follows.
  const marked = tokenizer.encode(separator + text);
  return [...marked.subarray(tokenizer.encode(separator).length)];
}

/** Both, or the one where they are the same. */
export function bothForms(tokenizer: Tokenizer, text: string): number[][] {
  const [start, inside] = [atWordStart(tokenizer, text), insideWord(tokenizer, text)];
  return start.join() === inside.join() ? [start] : [start, inside];
}

/** Whether a character is of a script that puts no spaces between words. */
export function isUnspaced(character: string): boolean {
  return unspacedScripts.test(character);
}

const separator = '\uE000';

const unspacedScripts =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
