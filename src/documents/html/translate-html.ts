// HTML, translated sentence by sentence, its tags around the right words.

import { html as htmlFormat, type InlineNode, Run } from '../markup/run.ts';
import { translateRuns } from '../markup/translated-run.ts';
import type { TranslateSentences } from '../markup/translated-sentence.ts';
import type { SplitOptions } from '../sentences/split-text.ts';
import { readHtml } from './source.ts';

/**
 * A document or a fragment with its text translated.
 * - Sentences end with their block (`<p>`, `<li>`, `<td>`, `<title>` …), at `<br>`, and where sentences end; line breaks in the
 *   source are spaces.
 * - Inline tags (`<b>`, `<a>`, `<my-icon>` …) stand around the words that came from theirs, each once. Images, comments and
 *   empty elements stay with the words beside them; numbers in `<sup>` and `<sub>` behind a word too.
 * - Untouched: attributes (`alt`, `title` and `lang` too), `<pre>`, `<script>`, `<style>`, `<textarea>`, `<select>`, `<svg>`, `<math>`,
 *   `<template>`, `<noscript>`, and what `translate="no"` or `class="notranslate"` says. `<code>`, `<kbd>`, `<samp>`, `<var>` are
 *   part of their sentence, but come back as they were.
 * - Outside of sentences the output is the input, byte for byte. If tags are crossed or left open inside a sentence, the
 *   whole is written as a browser reads it.
 *
 * `translate` is called once, with all sentences, or not at all.
 * @throws HeedError if elements are nested more than 1000 deep
 * @throws Error if `translate` gives more or fewer translations than there were sentences
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

/** Browsers skip it before they parse. */
const byteOrderMark = '\ufeff';

/** The text of HTML as far as it is to be translated, a line for each block; for example to detect its language. */
export function textOfHtml(source: string): string {
  return readHtml(source)
    .runs.map(({ nodes }) => nodes.map(textOf).join(''))
    .join('\n');
}

function textOf(node: InlineNode): string {
  if (node.kind === 'text') return node.text;
  return node.kind === 'element' ? node.children.map(textOf).join('') : ' ';
}
