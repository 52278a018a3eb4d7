import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backwards, wordTranslator } from '../../../test/word-translator.ts';
import type { TranslatedSentence } from '../markup/translated-sentence.ts';
import { translateText } from './translate-text.ts';

const german = wordTranslator({
  dictionary: { Hello: 'Hallo', good: 'gut', to: 'zu', see: 'sehen', you: 'dich', I: 'ich', am: 'bin', and: 'und' },
});

describe('translateText', () => {
  test('sentences are translated, white space between them is kept', async () => {
    const text = '\ufeff  Hello. I am good.\r\n\r\n\t- Hello!\nI  see\tyou.\n';
    expect(await translateText(text, german)).toBe('\ufeff  Hallo. ich bin gut.\r\n\r\n\t- Hallo!\nich sehen dich.\n');
  });

  test.each([
    '',
    ' ',
    '\n \t',
    '-',
    '?',
    '42',
    '1,234.56',
    '😀',
    'https://a.org/b',
    '{name}',
    'a@b.org\n%1$s',
    '\u00ad',
  ])('%j has no words: it is copied, nobody is asked', async (text) => {
    const translate = wordTranslator();
    expect(await translateText(text, translate)).toBe(text);
    expect(translate.asked).toEqual([]);
  });

  test('all sentences are translated by one call', async () => {
    let calls = 0;
    await translateText('One. Two.\nThree. 4.', async (sentences) => {
      calls++;
      expect(sentences).toEqual(['One.', 'Two.', 'Three.']);
      return sentences.map((text) => ({ text }));
    });
    expect(calls).toBe(1);
  });

  test('from a script with spaces to one without, and back', async () => {
    const dictionary = { Hello: '你好', Good: '很好', '.': '。' };
    expect(await translateText('Hello. Good.\nHello.', wordTranslator({ dictionary, isUnspaced: true }))).toBe(
      '你好。很好。\n你好。',
    );
    const back = { 你好: 'Hello', 很好: 'Good', '。': '.' };
    expect(await translateText('你好。很好。42。你好。', wordTranslator({ dictionary: back }))).toBe(
      'Hello. Good.42。Hello.',
    );
  });

  test('a placeholder that the translation contains stays where it is', async () => {
    const translate = wordTranslator({ order: backwards });
    expect(await translateText('Hello %1$s, good {name}!', translate)).toBe('{name} good, %1$s Hello!');
  });

  test('a placeholder or address that the translation corrupts is restored in its place', async () => {
    const spoil = wordTranslator({
      dictionary: { '%1$s': '% 1 $ S', '{name}': 'Ã', 'https://a.org/b': 'http: / a', see: 'sieh' },
    });
    expect(await translateText('Hello %1$s, good {name}! see https://a.org/b.', spoil)).toBe(
      'Hello %1$s, good {name}! sieh https://a.org/b.',
    );
  });

  test('one that the translation omits is restored beside its neighbours', async () => {
    const forget = async (sentences: readonly string[]): Promise<TranslatedSentence[]> => {
      expect(sentences).toEqual(['Hello {name}, good.']);
      const links = [
        { source: { start: 0, end: 5 }, target: { start: 0, end: 5 } },
        { source: { start: 14, end: 18 }, target: { start: 7, end: 10 } },
      ];
      return [{ text: 'Hallo, gut.', links }];
    };
    expect(await translateText('Hello {name}, good.', forget)).toBe('Hallo {name}, gut.');
  });

  test('restoring a corrupted address removes neither the full stop nor other words', async () => {
    const url = { start: 4, end: 18 };
    const links = [
      { source: { start: 0, end: 3 }, target: { start: 0, end: 5 } },
      { source: url, target: { start: 6, end: 10 } },
      { source: url, target: { start: 11, end: 12 } },
    ];
    expect(await translateText('See https://a.org.', async () => [{ text: 'Siehe hier .', links }])).toBe(
      'Siehe https://a.org .',
    );
  });

  test('each placeholder occurs once, for any translation and links', async () => {
    const span = (length: number) =>
      fc.tuple(fc.nat(length), fc.nat(length)).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
    const translation = fc.record({
      text: fc.stringMatching(/^[a-c ,.好]{0,20}$/),
      links: fc.option(fc.array(fc.record({ source: span(30), target: span(20) }), { maxLength: 6 }), {
        nil: undefined,
      }),
    });
    const words = fc.array(fc.constantFrom('a', 'b', ',', '. A', '{x1}', '%2$s', 'https://a.org/3'), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(words, fc.array(translation, { minLength: 12, maxLength: 12 }), async (parts, translations) => {
        const text = parts.join(' ');
        const output = await translateText(text, async (sentences) => sentences.map((_, i) => translations[i]));
        for (const kept of ['{x1}', '%2$s', 'https://a.org/3'])
          expect(output.split(kept).length).toBe(text.split(kept).length);
      }),
      { numRuns: 300 },
    );
  });

  test('a translator that omits a sentence is an error', async () => {
    await expect(translateText('One. Two.', async () => [{ text: 'Eins.' }])).rejects.toThrow(
      'must return 2 translations, got 1',
    );
  });

  test('notorious inputs, with a translator that returns its input', async () => {
    const lines = [
      'h',
      'HELLO WORLD',
      '1,234.56 EUR',
      'Yeşilgöz',
      'é é',
      'ﬁ',
      'a\u00a0b\u202fc',
      'so\u00adft',
      '\ufeffbom',
      'שלום 42',
      'مرحبا 42',
      '我今天很好',
      'Hello %1$s, good to see you!',
      'a < b > c & d',
      '&lt;p&gt;',
      'x_y',
      'nul\0nul',
      'One. Two. Three.',
    ];
    const same = async (sentences: readonly string[]) => sentences.map((text) => ({ text }));
    for (const line of lines)
      expect((await translateText(line, same)).replace(/\s/gu, ' ')).toBe(line.replace(/\s/gu, ' '));
    expect(await translateText(lines.join('\r\n'), same)).toContain('One. Two. Three.');
  });
});
