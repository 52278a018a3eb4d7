// Translates HTML sentence by sentence, and puts the tags around the right words.

import { html as htmlFormat, type InlineNode, Run } from '../markup/run.ts';
import { translateRuns } from '../markup/translated-run.ts';
import type { TranslateSentences } from '../markup/translated-sentence.ts';
import type { SplitOptions } from '../sentences/split-text.ts';
import { readHtml } from './source.ts';

/**
 * Translates the text of a document or a fragment.
 * - A sentence ends at the boundaries of its block (`<p>`, `<li>`, `<td>`, `<title>` …), at `<br>`, and by punctuation; line
 *   breaks in the source are spaces.
 * - Inline tags (`<b>`, `<a>`, `<my-icon>` …) are placed around the translations of their words, each exactly once. Images,
 *   comments, empty elements, and numbers in `<sup>` and `<sub>` after a word stay next to the words beside them.
 * - Not translated: attributes (`alt`, `title` and `lang` too), `<pre>`, `<script>`, `<style>`, `<textarea>`, `<select>`,
 *   `<svg>`, `<math>`, `<template>`, `<noscript>`, and elements with `translate="no"` or `class="notranslate"`. `<code>`, `<kbd>`,
 *   `<samp>`, `<var>` are part of their sentence, but keep their text.
 * - Outside of sentences the output equals the input, byte for byte. If tags are crossed or left open inside a sentence, the
 *   whole document is normalised as a browser parses it.
 *
 * `translate` is called once, with all sentences, or not at all.
 * @throws HeedError if elements are nested more than 1000 deep
 * @throws Error if `translate` returns another number of translations than it got sentences
 */
export async function translateHtml(
  source: string,
  translate: TranslateSentences,
  options: SplitOptions = {},
): Promise<string> {
  if (source.startsWith(byteOrderMark))
    return byteOrderMark + (await translateHtml(source.slice(1), translate, options));
  const { html, runs } = readHtml(source);
  const translated = await translateRuns(
    runs.map(({ nodes }) => new Run(nodes, htmlFormat)),
    translate,
    options,
  );
  let output = '';
  let position = 0;
  for (const [i, { start, end }] of runs.entries()) {
    output += html.slice(position, start) + (translated[i] ?? html.slice(start, end));
    position = end;
  }
  return output + html.slice(position);
}

/** Browsers skip it before parsing. */
const byteOrderMark = '\ufeff';

/** The translatable text of HTML, with a line for each block, for language detection. */
export function textOfHtml(source: string): string {
  return readHtml(source)
    .runs.map(({ nodes }) => nodes.map(textOf).join(''))
    .join('\n');
}

function textOf(node: InlineNode): string {
  if (node.kind === 'text') return node.text;
  return node.kind === 'element' ? node.children.map(textOf).join('') : ' ';
}
