import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLanguageTag, segmentsOf, wordSpans } from './segmenter.ts';

describe('segmentsOf', () => {
  test('a long text that is processed in pieces has the segments of the whole', () => {
    const text = 'The quick brown fox, 42 of them, jumps. It is 3.5 m, so what? “Yes!” 我今天很好。你呢？ '.repeat(60);
    for (const granularity of ['word', 'sentence'] as const) {
      const whole = Array.from(new Intl.Segmenter('en', { granularity }).segment(text), ({ segment }) => segment);
      expect(Array.from(segmentsOf(text, granularity, 'en'), (segment) => segment.text)).toEqual(whole);
    }
  });

  test('segments concatenate to any text, and split no character', () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', ' ', '😀', '.', '好', 'e\u0301', '\n'),
      minLength: 250,
      maxLength: 700,
    });
    fc.assert(
      fc.property(texts, fc.constantFrom('word' as const, 'sentence' as const), (text, granularity) => {
        const segments = [...segmentsOf(text, granularity, undefined)];
        expect(segments.map((segment) => segment.text).join('')).toBe(text);
        for (const { text: segment, start, end } of segments) {
          expect(text.slice(start, end)).toBe(segment);
          expect(segment).not.toMatch(/\p{Surrogate}/u);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('a word longer than a piece comes in parts', () => {
    expect(
      Array.from(segmentsOf('😀'.repeat(400) + 'a'.repeat(1000), 'word', 'xx'), ({ text }) => text).join(''),
    ).toHaveLength(1800);
  });
});

test('wordSpans are words and punctuation marks', () => {
  expect(wordSpans('Dr. No, 42!').map(({ text, isWord }) => [text, isWord])).toEqual([
    ['Dr', true],
    ['.', false],
    ['No', true],
    [',', false],
    ['42', true],
    ['!', false],
  ]);
});

test('isLanguageTag', () => {
  for (const tag of ['en', 'zh-Hans', 'pt-BR']) expect(isLanguageTag(tag)).toBe(true);
  for (const tag of [undefined, '', 'not a language', 'en_US']) expect(isLanguageTag(tag)).toBe(false);
});
