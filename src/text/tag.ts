// Target tags: the control token before a source that selects the target language in a model with several
// (Johnson et al. 2017). As a control token, it is never produced by text.

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
