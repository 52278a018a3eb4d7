import { describe, expect, it } from 'vitest';
import { directionsOf, type JsonObject } from '../model/index.ts';
import { learnTokenizer, tagFor } from '../text/index.ts';
import { type DirectionOptions, tagIds } from './direction.ts';

function modelWith(languages: string[], training: JsonObject = {}) {
  const sourceTokenizer = learnTokenizer(['a b'], { merges: 0, controlTokens: languages.map(tagFor) });
  return { sourceTokenizer, directions: directionsOf(sourceTokenizer, training) };
}

const corpora = [
  ['en', 'de'],
  ['en', 'fr'],
  ['de', 'en'],
].map(([sourceLanguage, targetLanguage]) => ({ sourceLanguage, targetLanguage }));
const many = modelWith(['de', 'fr', 'en'], { corpora });
const both = modelWith(['zh', 'en']);
const plain = modelWith([], { sourceLanguage: 'en', targetLanguage: 'de' });
const silent = modelWith([]);

const tag = (model: ReturnType<typeof modelWith>, options: DirectionOptions) =>
  model.sourceTokenizer.pieces(tagIds(model, options)).join();

describe('tagIds', () => {
  it('is the tag of the language to translate into', () => {
    expect(tag(both, { to: 'zh' })).toBe('>>zh<<');
    expect(tag(both, { from: 'zh', to: 'en' })).toBe('>>en<<');
    expect(tag(many, { to: 'fr' })).toBe('>>fr<<');
  });

  it('follows from the source language if that determines it', () => {
    expect(tag(both, { from: 'en' })).toBe('>>zh<<');
    expect(tag(many, { from: 'de' })).toBe('>>en<<');
    expect(tag(modelWith(['de']), {})).toBe('>>de<<');
  });

  it('is empty for a model without tags', () => {
    for (const options of [{}, { from: 'en' }, { to: 'de' }, { from: 'en', to: 'de' }])
      expect(tag(plain, options)).toBe('');
    expect(tag(silent, {})).toBe('');
  });

  it.each([
    [both, {}, 'to must say which language to translate into: zh or en.'],
    [many, { from: 'en' }, 'to must say which language to translate into: de or fr.'],
    [both, { to: 'zhh' }, 'to must be zh or en, got zhh; did you mean zh?'],
    [both, { from: 'ja', to: 'zh' }, 'from must be en or zh, got ja.'],
    [both, { from: 'en', to: 'en' }, 'to must be zh, got en.'],
    [many, { from: 'de', to: 'fr' }, 'to must be en, got fr.'],
    [many, { from: 'fr' }, 'from must be en or de, got fr.'],
    [plain, { to: 'en' }, 'to must be de, got en.'],
    [plain, { from: 'de' }, 'from must be en, got de.'],
    [silent, { to: 'de' }, 'this model does not name its languages; leave out to de.'],
    [silent, { from: 'de' }, 'this model does not name its languages; leave out from de.'],
    [modelWith(['de']), { from: 'en' }, 'this model does not name its languages; leave out from en.'],
  ])('refuses an unknown language, and an ambiguous target (%#)', (model, options, message) => {
    expect(() => tagIds(model, options)).toThrow(`translate: ${message}`);
  });
});
