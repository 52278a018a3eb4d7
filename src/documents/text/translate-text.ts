// Plain text, translated sentence by sentence.

import { plainText, Run } from '../markup/run.ts';
import { translateRuns } from '../markup/translated-run.ts';
import type { TranslateSentences } from '../markup/translated-sentence.ts';
import type { SplitOptions } from '../sentences/split-text.ts';

/**
 * The text with its sentences translated; white space and line breaks between them are kept, except that a space is added
 * or dropped between scripts that put one there and scripts that do not. Sentences without words (`-`, `42`, a URL) are
 * copied; addresses and placeholders inside sentences come back unchanged. `translate` is called once, with all sentences,
 * or not at all.
 * @throws Error if `translate` gives more or fewer translations than there were sentences
 */
export async function translateText(
  text: string,
  translate: TranslateSentences,
  options: SplitOptions = {},
): Promise<string> {
  const [output] = await translateRuns([new Run([{ kind: 'text', text }], plainText)], translate, options);
  return output ?? text;
}
