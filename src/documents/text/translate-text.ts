// Translates plain text sentence by sentence.

import { plainText, Run } from '../markup/run.ts';
import { translateRuns } from '../markup/translated-run.ts';
import type { TranslateSentences } from '../markup/translated-sentence.ts';
import type { SplitOptions } from '../sentences/split-text.ts';

/**
 * Translates the sentences of a text and keeps the white space and line breaks between them, except that a space is
 * added or dropped if only one of the two scripts uses spaces between sentences. Sentences without words (`-`, `42`, a
 * URL) are copied; addresses and placeholders inside sentences are unchanged. `translate` is called once, with all
 * sentences, or not at all.
 * @throws Error if `translate` returns another number of translations than it got sentences
 */
export async function translateText(
  text: string,
  translate: TranslateSentences,
  options: SplitOptions = {},
): Promise<string> {
  const [output] = await translateRuns([new Run([{ kind: 'text', text }], plainText)], translate, options);
  return output ?? text;
}
