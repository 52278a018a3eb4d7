import { describe, expect, test } from 'vitest';
import { hasWords, keptSpans } from './kept.ts';

function kept(text: string): string[] {
  return keptSpans(text).map(({ start, end }) => text.slice(start, end));
}

describe('keptSpans', () => {
  test.each([
    ['See https://a.org/b?c=d#e, or (http://x.y/).', ['https://a.org/b?c=d#e', 'http://x.y/']],
    [
      'https://en.wikipedia.org/wiki/Attention_(machine_learning).',
      ['https://en.wikipedia.org/wiki/Attention_(machine_learning)'],
    ],
    ['请看https://a.org/b。谢谢', ['https://a.org/b']],
    ['Mail jo.doe+x@mail.example.org.', ['jo.doe+x@mail.example.org']],
    ['Hello %1$s, %s and %d of %(count)d at %.2f', ['%1$s', '%s', '%d', '%(count)d', '%.2f']],
    [`{name} has {0} of {{ total }} and \${sum}`, ['{name}', '{0}', '{{ total }}', `\${sum}`]],
    ['www.example.org is fine', ['www.example.org']],
  ])('%j', (text, expected) => {
    expect(kept(text)).toEqual(expected);
  });

  test.each(['a 5 % discount', '100%safe', 'a < b > c & d', '{ }', 'if (x) { return y; }', 'a@b', 'e.g. this'])(
    'nothing in %j',
    (text) => {
      expect(kept(text)).toEqual([]);
    },
  );

  test('long runs of one character take no time', () => {
    for (const sign of ['a', '.', '%', '{', '@', 'a@', 'http://', '1', '('])
      expect(keptSpans(`http://x${sign.repeat(100_000)} `).length).toBeLessThan(100_001);
  });
});

describe('hasWords', () => {
  test.each(['h', 'HELLO WORLD', 'Yeşilgöz', '你好', 'ﬁ', '1,234.56 EUR', 'Hello %1$s!', 'x_y'])('%j', (text) => {
    expect(hasWords(text)).toBe(true);
  });

  test.each([
    '',
    ' ',
    '-',
    '?',
    '…',
    '42',
    '3.5 %',
    '😀',
    '{name}',
    '%1$s',
    'https://a.org',
    'a@b.org, c@d.org',
    '\u00ad',
    '\0',
  ])('not %j', (text) => {
    expect(hasWords(text)).toBe(false);
  });
});
