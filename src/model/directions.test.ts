import { describe, expect, it } from 'vitest';
import { learnTokenizer, tagFor } from '../text/index.ts';
import { directionsOf } from './directions.ts';

function tokenizerWith(...languages: string[]) {
  return learnTokenizer(['a b'], { merges: 0, controlTokens: languages.map(tagFor) });
}

function shown(languages: string[], training: Record<string, unknown>): string {
  return directionsOf(tokenizerWith(...languages), training)
    .map(({ source, target }) => `${source}-${target}`)
    .join(' ');
}

describe('directionsOf', () => {
  it('pairs all tags if the recipe does not name source languages', () => {
    expect(shown(['zh', 'en'], {})).toBe('en-zh zh-en');
    const corpora = [{ targetLanguage: 'zh' }, { targetLanguage: 'en' }];
    expect(shown(['zh', 'en'], { corpora })).toBe('en-zh zh-en');
    expect(shown(['zh', 'en', 'fr'], {})).toBe('en-zh fr-zh zh-en fr-en zh-fr en-fr');
  });

  it('uses the languages of the recipe', () => {
    const corpora = [
      { sourceLanguage: 'en', targetLanguage: 'de' },
      { sourceLanguage: 'en', targetLanguage: 'de', weight: 2 },
      { sourceLanguage: 'en', targetLanguage: 'fr' },
    ];
    expect(shown(['de', 'fr'], { corpora })).toBe('en-de en-fr');
    expect(shown(['de', 'fr'], { corpora: [...corpora, { targetLanguage: 'fr' }] })).toBe('en-de en-fr de-fr');
    expect(shown([], { sourceLanguage: 'en', targetLanguage: 'de' })).toBe('en-de');
  });

  it('is empty if languages are absent or of another form', () => {
    expect(shown([], {})).toBe('');
    expect(shown(['de'], {})).toBe('');
    expect(shown([], { corpora: 'many', sourceLanguage: 7 })).toBe('');
  });
});
