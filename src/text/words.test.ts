import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWords, type WordSplit } from './words.ts';

describe('splitWords', () => {
  it.each<[string, string[]]>([
    ['', []],
    [' ', [' ', ' ']],
    ['hello', [' hello']],
    ['The dog, 42.', [' The', ' dog', ',', ' 4', '2', '.']],
    ['hello  world ', [' hello', ' ', ' world', ' ']],
    ['don’t (now)', [' don', '’', 't', ' (', 'now', ')']],
    ['e\u0301 ❤\uFE0F 1\uFE0F\u20E3', [' e\u0301', ' ❤\uFE0F', ' 1\uFE0F\u20E3']],
    ['a\tb\r\nc', [' a', '\t', 'b', '\r\n', 'c']],
    ['我今年20岁。', [' 我今年', '2', '0', '岁', '。']],
    ['x_y = z▁', [' x', '_', 'y', ' =', ' z', '▁']],
    ['\u0301a', [' \u0301', 'a']],
  ])('by categories: %j', (text, words) => {
    expect(splitWords(text, 'categories')).toEqual(words);
  });

  it('by spaces', () => {
    expect(splitWords('a dog , 42.  b', 'spaces')).toEqual([' a', ' dog', ' ,', ' 42.', ' ', ' b']);
  });

  it.each<WordSplit>(['categories', 'spaces'])('loses no character: %s', (split) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        expect(splitWords(text, split).join('')).toBe(` ${text}`);
      }),
    );
  });

  it('survives a run of twenty million letters', () => {
    const text = '語'.repeat(20_000_000);
    expect(splitWords(text, 'categories').reduce((sum, word) => sum + word.length, 0)).toBe(text.length + 1);
  });
});
