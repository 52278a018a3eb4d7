// Target tags: the control token before a source that says which language to translate into, when one model knows
// several (Johnson et al. 2017). Being a control token, it can never come out of a text.

import { HeedError } from '../base/error.ts';
import type { Tokenizer } from './tokenizer.ts';

/** `zh` → `>>zh<<`. @throws HeedError unless the language is letters, digits, - and _ */
export function tagFor(language: string): string {
  if (/^[\p{L}\p{N}_-]+$/u.test(language)) return `>>${language}<<`;
  const got = JSON.stringify(language);
  throw new HeedError('tag', `a target language is letters, digits, - and _, such as zh or pt-BR, got ${got}.`);
}

/** The languages that a tokenizer has tags for, in the order of their ids. */
export function taggedLanguages({ controlTokens }: Tokenizer): string[] {
  return controlTokens.flatMap((token) => token.match(/^>>(.+)<<$/u)?.[1] ?? []);
}
