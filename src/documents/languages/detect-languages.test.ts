import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { detectLanguages } from './detect-languages.ts';

async function best(text: string, known?: readonly string[]): Promise<string> {
  return (await detectLanguages(text, known))[0].language;
}

describe('detectLanguages', () => {
  test.each([
    ['The quick brown fox jumps over the lazy dog.', 'en'],
    ['Der schnelle braune Fuchs springt über den faulen Hund.', 'de'],
    ['Le renard brun saute par-dessus le chien paresseux.', 'fr'],
    ['敏捷的棕色狐狸跳过了懒狗。', 'zh'],
    ['すばやい茶色の狐がのろまな犬を飛び越える。', 'ja'],
    ['Быстрая коричневая лиса прыгает через ленивую собаку.', 'ru'],
    ['الثعلب البني السريع يقفز فوق الكلب الكسول', 'ar'],
  ])('%s', async (text, language) => {
    const [first] = await detectLanguages(text);
    expect(first.language).toBe(language);
    expect(first.confidence).toBeGreaterThan(30);
  });

  test('chooses among the known languages, and keeps their spelling', async () => {
    expect(await best('Guten Tag, wie geht es Ihnen?', ['en', 'de-AT', 'zh'])).toBe('de-AT');
    expect(await best('今天天气很好', ['en', 'zh-Hans'])).toBe('zh-Hans');
    for (const { language } of await detectLanguages('Hello there, my friend', ['en', 'de']))
      expect(['en', 'de']).toContain(language);
  });

  test('confidences are whole numbers, best first, at most 100 together', async () => {
    for (const text of ['Hello', 'Hello world, wie geht es dir heute?', '我用Twitter', 'Привет мир', 'ok']) {
      const confidences = (await detectLanguages(text)).map(({ confidence }) => confidence);
      expect(confidences).toEqual([...confidences].sort((a, b) => b - a));
      for (const confidence of confidences) expect(Number.isInteger(confidence)).toBe(true);
      const total = confidences.reduce((sum, confidence) => sum + confidence, 0);
      expect(total).toBeLessThanOrEqual(100 + confidences.length / 2);
    }
  });

  test.each(['', ' ', '42', '-', '😀', 'https://example.org/the/path', '{name}'])('without words: %j', async (text) => {
    expect(await detectLanguages(text, ['de', 'en'])).toEqual([{ language: 'de', confidence: 0 }]);
    expect(await detectLanguages(text)).toEqual([{ language: 'en', confidence: 0 }]);
  });

  test('short words are judged by their script, with a low confidence', async () => {
    for (const text of ['Hello', 'ok', 'h', 'HELLO WORLD']) expect(await best(text, ['zh', 'en'])).toBe('en');
    for (const text of ['好', '你好', '我用Twitter']) expect(await best(text, ['en', 'zh'])).toBe('zh');
    expect((await detectLanguages('ok', ['zh', 'en']))[0].confidence).toBeLessThan(60);
  });

  test('a text in no known language has a low confidence', async () => {
    const [first] = await detectLanguages('Bonjour tout le monde, comment allez-vous aujourd’hui ?', ['en', 'zh']);
    expect(first.confidence).toBeLessThan(10);
    expect((await detectLanguages('Привет, как дела?', ['en', 'zh']))[0].confidence).toBe(0);
  });

  test('mixed text shares the confidence', async () => {
    const text = `${'The weather is nice today. '.repeat(20)}${'Das Wetter ist heute sehr schön. '.repeat(20)}`;
    const languages = await detectLanguages(text, ['en', 'de', 'fr']);
    expect(
      languages
        .slice(0, 2)
        .map(({ language }) => language)
        .sort(),
    ).toEqual(['de', 'en']);
    expect(languages[1].confidence).toBeGreaterThan(10);
  });

  test('examines only the beginning of a long text', async () => {
    const text = 'The weather is nice today. '.repeat(200);
    expect(await detectLanguages(text + '这是中文。'.repeat(100_000), ['en', 'zh'])).toEqual(
      await detectLanguages(text, ['en', 'zh']),
    );
  });

  test('accepts languages that the detector does not know, and names that are no language', async () => {
    expect(await best('Hello world', ['eo', 'dates of 1999', '', 'en'])).toBe('en');
    expect(await best('2024-01-02 monday', ['dates'])).toBe('dates');
  });
});

// The texts are not part of the repository: without the folder shared/data beside it the tests are skipped.
const corpora = new URL('../../../../shared/data/evalsets/', import.meta.url);
const isPresent = existsSync(corpora);
if (!isPresent) console.log('skipped: the evaluation sets are not in ../shared/data/evalsets');

describe.skipIf(!isPresent)('sentences of FLORES-200', () => {
  const languages = ['en', 'de', 'fr', 'es', 'zh', 'ja', 'vi'];

  test.each(languages)('%s: at least 99 of 100', async (language) => {
    const lines = readFileSync(new URL(`flores200-devtest.${language}`, corpora), 'utf8')
      .trimEnd()
      .split('\n');
    const sample = lines.filter((_, i) => i % 20 === 0);
    const found = await Promise.all(sample.map((line) => best(line, languages)));
    expect(found.filter((one) => one === language).length / sample.length).toBeGreaterThanOrEqual(0.99);
  });
});
