// The share of a text that is in the script of a language.

import { isLanguageTag } from '../sentences/segmenter.ts';

/**
 * The share of the letters that are in the script of the language. Ideographs and kana count four times: one is about a
 * word.
 */
export function scriptShare(language: string, letters: readonly string[]): number {
  const script = scriptOf(language);
  let [own, all] = [0, 0];
  for (const letter of letters) {
    const weight = ideographOrKana.test(letter) ? 4 : 1;
    all += weight;
    if (script.test(letter)) own += weight;
  }
  return all === 0 ? 0 : own / all;
}

const ideographOrKana = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const scripts = new Map<string, RegExp>();

/** The usual script of a language, by Unicode's likely subtags; Latin if unknown. */
function scriptOf(language: string): RegExp {
  let script = scripts.get(language);
  if (script === undefined) {
    const name = (isLanguageTag(language) ? new Intl.Locale(language).maximize().script : undefined) ?? 'Latn';
    const classes = (mixedScripts[name] ?? [name]).map((one) => `\\p{Script=${one}}`);
    script = new RegExp(`[${classes.join('')}]`, 'u');
    scripts.set(language, script);
  }
  return script;
}

/** Script codes that stand for several scripts, or for a variant of one. */
const mixedScripts: Readonly<Record<string, readonly string[]>> = {
  Hans: ['Han'],
  Hant: ['Han'],
  Jpan: ['Han', 'Hiragana', 'Katakana'],
  Kore: ['Hangul', 'Han'],
};
