// The language of the interface. Each part of the page brings two dictionaries, english.ts and chinese.ts; the second has
// the type of the first, so a missing or misspelt key is a type error.

import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { remember, remembered } from './memory.ts';

export const languages = { en: 'English', zh: '中文' } as const;

export type Language = keyof typeof languages;

export const language = signal<Language>(preferredLanguage());

effect(() => {
  document.documentElement.lang = language.value === 'zh' ? 'zh-Hans' : 'en';
});

export function chooseLanguage(chosen: Language): void {
  language.value = chosen;
  remember('language', chosen);
}

/**
 * The words of the chosen language: `const words = dictionary({ en: english, zh: chinese })`, then in a component
 * `words.value.title`, which renders the component again when the language changes.
 */
export function dictionary<Words>(translations: Readonly<Record<Language, Words>>): ReadonlySignal<Words> {
  return computed(() => translations[language.value]);
}

/** The name of a language in the language of the interface: `de` is German, or 德语. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([language.value], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

function preferredLanguage(): Language {
  const chosen = remembered('language');
  if (chosen === 'en' || chosen === 'zh') return chosen;
  return navigator.languages.find((tag) => /^(en|zh)\b/.test(tag))?.startsWith('zh') ? 'zh' : 'en';
}
