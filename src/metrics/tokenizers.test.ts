import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type TerOptions, tokenizeForTer } from './ter-tokenizer.ts';
import { BLEU_TOKENIZERS, type BleuTokenizer, tokenize } from './tokenizers.ts';

interface Golden {
  lines: string[];
  lowercase: string[];
  tokens: Record<BleuTokenizer, string[][]>;
  terTokens: [Partial<TerOptions>, string[][]][];
}

const golden = JSON.parse(
  readFileSync(new URL('../../test/golden/metrics-tokenizers.json', import.meta.url), 'utf8'),
) as Golden;

const TER_DEFAULTS = { normalized: false, removePunctuation: false, asianSupport: false, caseSensitive: false };

describe("tokenize equals sacreBLEU's tokenizer", () => {
  for (const name of BLEU_TOKENIZERS) {
    it(name, () => {
      golden.lines.forEach((line, index) => {
        expect(tokenize(line, name), JSON.stringify(line)).toEqual(golden.tokens[name][index]);
      });
    });
  }
});

describe("tokenizeForTer equals sacreBLEU's tercom tokenizer", () => {
  for (const [options, tokens] of golden.terTokens) {
    it(JSON.stringify(options), () => {
      golden.lines.forEach((line, index) => {
        expect(tokenizeForTer(line, { ...TER_DEFAULTS, ...options }), JSON.stringify(line)).toEqual(tokens[index]);
      });
    });
  }
});

it("lower case is Python's: final sigma, dotted I, sharp S", () => {
  expect(golden.lines.map((line) => line.toLowerCase())).toEqual(golden.lowercase);
});

describe('corner cases, spelt out', () => {
  const examples: [BleuTokenizer, string, string][] = [
    ['13a', 'Hello, world.', 'Hello , world .'],
    ['13a', '1,234.56 EUR, 3-4.', '1,234.56 EUR , 3 - 4 .'],
    ['13a', '&quot;a &amp;lt; b&quot;', '" a < b "'],
    ['13a', '“curly” – dash…', '“curly” – dash…'],
    ['intl', '“curly” – dash…', '“ curly ” – dash …'],
    ['intl', 'In 1999. €5', 'In 1999 . € 5'],
    ['intl', 'In 1999.', 'In 1999.'],
    ['zh', '我爱Berlin, 3.5％', '我 爱 Berlin , 3.5 ％'],
    ['zh', '𠀀𠀁 “€”', '𠀀𠀁 “ € ”'],
    ['char', 'a 😀é', 'a 😀 é'],
    ['none', ' Hello,  world. ', 'Hello, world.'],
  ];
  for (const [name, line, expected] of examples) {
    it(`${name}: ${line}`, () => expect(tokenize(line, name)).toEqual(expected.split(' ')));
  }
});
