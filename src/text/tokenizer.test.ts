import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import { learnTokenizer, type Tokenizer } from './index.ts';

const corpus = [
  'The old bridge was restored in 2012, the new one in 2019.',
  'Die alte Brücke wurde 2012 restauriert, die neue 2019.',
  'the bridge, the river, the old town',
  '老桥在2012年重修，新桥在2019年重修。',
  'x_y = x_z  </s> <pad> <0xE2> >>de<<',
];

const tokenizers: [string, Tokenizer][] = [
  [
    'categories',
    learnTokenizer(corpus, { merges: 100, minimumCharacterFrequency: 1, controlTokens: ['>>de<<', '>>zh<<'] }),
  ],
  ['spaces', learnTokenizer(corpus, { merges: 100, split: 'spaces', minimumFrequency: 1 })],
  ['bytes alone', learnTokenizer([], { merges: 100 })],
];
const tokenizer = tokenizers[0][1];
const piecesOf = (text: string): string[] => tokenizer.pieces(tokenizer.encode(text));

/** Texts that other tools are known to change. */
const inputs = [
  '',
  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  '-',
  '?',
  'h',
  '42',
  '1,234.56 EUR',
  'HELLO WORLD',
  'Yeşilgöz',
  'e\u0301 and é',
  'ﬁ …！',
  'a\u00A0b\u202Fc',
  'soft\u00ADhyphen',
  '\uFEFFat the start',
  '\uFEFF',
  'הגשר נבנה ב־1894 ושופץ ב־2012',
  'الجسر القديم ٤٢',
  '我们明天坐火车去看老灯塔然后回家吃饭',
  'Hello %1$s, good to see you!',
  '{name}',
  'a < b > c & d',
  '&lt;p&gt;',
  'https://example.org/a?b=1#c',
  'x_y',
  'word '.repeat(400),
  'One. Two! Three?',
  'ha '.repeat(200),
  'nul\0byte',
  ' leading, trailing and  doubled   spaces  ',
  '▁',
  'a▁b ▁c▁',
  '</s>',
  '<s> x </s><pad>',
  '>>de<< hallo',
  '<0xE2><0x96><0x81>',
  '\u2028\u0085\v\f',
  '👩‍👩‍👧 ❤️ 👍🏽 𝒳',
  '\uFFFD\uFFFF\u{10FFFF}',
  '__proto__ constructor',
];

describe.each(tokenizers)('decode after encode: %s', (_, each) => {
  it.each(inputs)('%j', (text) => {
    const ids = each.encode(text);
    expect(each.decode(ids)).toBe(text);
    expect([...ids].some((id) => each.isControl(id))).toBe(false);
    expect(each.pieces(ids)).toHaveLength(ids.length);
  });

  it('every well-formed text', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom(' ', '▁', '</s>', '>>de<<', '<0x20>', 'the', '桥', '\uFEFF', '\u0301'),
    );
    fc.assert(
      fc.property(fc.array(unit), fc.double({ min: 0, max: 1, noNaN: true }), (units, dropout) => {
        const text = units.join('');
        expect(each.decode(each.encode(text))).toBe(text);
        expect(each.decode(each.encode(text, { dropout, random: Random.of(1) }))).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('a lone surrogate becomes U+FFFD', () => {
    expect(each.decode(each.encode('a\uD800b\uDC00 😀'))).toBe('a\uFFFDb\uFFFD 😀');
  });
});

describe('encode', () => {
  it('gives readable pieces', () => {
    expect(piecesOf('the bridge, the  new')).toEqual(['▁the', '▁bridge', ',', '▁the', '▁', '▁ne', 'w']);
    expect(piecesOf('é▁')).toEqual(['▁', '<0xC3>', '<0xA9>', '<0xE2>', '<0x96>', '<0x81>']);
    expect(piecesOf('')).toEqual([]);
  });

  it('encodes control tokens and byte pieces in a text by their characters', () => {
    expect(piecesOf('</s>')).toEqual(['▁<', '/', 's', '>']);
    expect(piecesOf('>>de<<')).toEqual(['▁', '>', '>', 'de', '<', '<']);
    expect(piecesOf('<0xE2>').join('')).toBe('▁<0xE2>');
  });

  it('gives the same ids again, however many words came between', () => {
    const before = tokenizer.encode(corpus[0]);
    for (let i = 0; i < 150_000; i += 10)
      tokenizer.encode(Array.from({ length: 10 }, (_, k) => (i + k).toString(36).replace(/\d/g, 'z')).join(' '));
    expect(tokenizer.encode(corpus[0])).toEqual(before);
  });

  it('encodes a word of 10,000 characters', () => {
    const text = '老桥在年重修'.repeat(2000);
    const start = performance.now();
    expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe('dropout', () => {
  const text = 'the old bridge, the river';
  const lengths = (dropout: number): number[] => {
    const random = Random.of(7, 'dropout');
    return Array.from({ length: 200 }, () => tokenizer.encode(text, { dropout, random }).length);
  };
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

  it('is off at 0 and gives characters at 1', () => {
    expect(new Set(lengths(0))).toEqual(new Set([tokenizer.encode(text).length]));
    expect(new Set(lengths(1))).toEqual(new Set([text.length + 1]));
  });

  it('gives many encodings, longer ones at higher rates, and does not affect the cache', () => {
    const before = tokenizer.encode(text);
    const [low, high] = [lengths(0.1), lengths(0.5)];
    expect(new Set(low).size).toBeGreaterThan(3);
    expect(mean(low)).toBeGreaterThan(before.length);
    expect(mean(high)).toBeGreaterThan(mean(low));
    expect(mean(high)).toBeLessThan(text.length + 1);
    expect(tokenizer.encode(text)).toEqual(before);
  });

  it('is reproducible', () => {
    expect(lengths(0.3)).toEqual(lengths(0.3));
  });

  it('needs a probability and a source of randomness', () => {
    for (const dropout of [-0.1, 1.1, Number.NaN])
      expect(() => tokenizer.encode('x', { dropout, random: Random.of(1) })).toThrow(
        `tokenizer: dropout is a probability between 0 and 1, got ${dropout}.`,
      );
    expect(() => tokenizer.encode('x', { dropout: 0.1 })).toThrow('tokenizer: dropout needs a source of randomness');
  });
});

describe('decode', () => {
  const byteId = (byte: number): number => tokenizer.controlTokens.length + byte;

  it('skips control tokens, even inside a character', () => {
    const ids = [...tokenizer.encode('é the')];
    expect(tokenizer.decode([tokenizer.startId, ...ids, tokenizer.endId, tokenizer.padId])).toBe('é the');
    expect(tokenizer.decode([byteId(0xc3), tokenizer.padId, byteId(0xa9)])).toBe('é');
    expect(tokenizer.decode([tokenizer.padId])).toBe('');
    expect(tokenizer.decode([])).toBe('');
  });

  it('gives U+FFFD for bytes that are not UTF-8', () => {
    expect(tokenizer.decode([byteId(0xff), ...tokenizer.encode('the')])).toBe('\uFFFD the');
    expect(tokenizer.decode([byteId(0xe2), byteId(0x96)])).toBe('\uFFFD');
    expect(tokenizer.decode([byteId(0xa9)])).toBe('\uFFFD');
  });

  it('never throws and always gives well-formed text, whatever a model says', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(tokenizer.size - 1)), (ids) => {
        expect(tokenizer.decode(ids)).not.toMatch(/\p{Surrogate}/u);
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses ids that are not in the vocabulary', () => {
    for (const id of [-1, tokenizer.size, 0.5, Number.NaN]) {
      const message = `tokenizer: ids run from 0 to ${tokenizer.size - 1}, got ${id}; model and tokenizer do not match.`;
      expect(() => tokenizer.decode([id])).toThrow(message);
      expect(() => tokenizer.pieces([id])).toThrow(message);
    }
  });
});

describe('control tokens', () => {
  it('have the first ids', () => {
    expect(tokenizer.controlTokens).toEqual(['<pad>', '<s>', '</s>', '>>de<<', '>>zh<<']);
    expect([tokenizer.padId, tokenizer.startId, tokenizer.endId]).toEqual([0, 1, 2]);
    expect(tokenizer.controlId('>>zh<<')).toBe(4);
    expect([0, 4, 5].map((id) => tokenizer.isControl(id))).toEqual([true, true, false]);
    expect(tokenizer.pieces([2, 4])).toEqual(['</s>', '>>zh<<']);
  });

  it('are not guessed', () => {
    expect(() => tokenizer.controlId('>>fr<<')).toThrow(
      'tokenizer: there is no control token ">>fr<<"; did you mean >>de<<? Known: <pad> <s> </s> >>de<< >>zh<<',
    );
    expect(() => tokenizer.controlId('the')).toThrow('there is no control token "the". Known:');
  });
});
