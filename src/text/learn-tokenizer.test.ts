import { describe, expect, it } from 'vitest';
import { type LearnOptions, learnTokenizer, learnTokenizerFromStream, readLines, Tokenizer } from './index.ts';

const lines = ['the dog and the cat', 'The dog, the end', '狗和猫 é'];

describe('learnTokenizer', () => {
  it('orders the vocabulary: control tokens, bytes, characters by code point, merges', () => {
    const tokenizer = learnTokenizer(['ab ab', 'b'], { merges: 2, controlTokens: ['>>de<<'], minimumFrequency: 1 });
    const pieces = tokenizer.pieces(Array.from({ length: tokenizer.size }, (_, id) => id));
    expect(pieces.slice(0, 5)).toEqual(['<pad>', '<s>', '</s>', '>>de<<', '<0x00>']);
    expect(pieces.slice(260)).toEqual(['a', 'b', '▁', 'ab', '▁ab']);
  });

  it('learns as many merges, or as many pieces, as asked for', () => {
    const sizes = [0, 1, 4].map((merges) => learnTokenizer(lines, { merges }).size);
    expect([sizes[1] - sizes[0], sizes[2] - sizes[0]]).toEqual([1, 4]);
    expect(learnTokenizer(lines, { vocabularySize: sizes[2] })).toEqual(learnTokenizer(lines, { merges: 4 }));
    expect(learnTokenizer(lines, { vocabularySize: 5000 }).size).toBeLessThan(400);
  });

  it('gives rare characters no piece, and rare pairs no merge', () => {
    const pieces = (options: Partial<LearnOptions>): string[] => {
      const tokenizer = learnTokenizer(lines, { merges: 1000, ...options });
      return tokenizer.pieces(tokenizer.encode('狗 the dog'));
    };
    expect(pieces({})).toEqual(['▁', '<0xE7>', '<0x8B>', '<0x97>', '▁the', '▁dog']);
    expect(pieces({ minimumCharacterFrequency: 1 })).toEqual(['▁', '狗', '▁the', '▁dog']);
    expect(pieces({ minimumFrequency: 3 }).slice(-4)).toEqual(['▁', 'd', 'o', 'g']);
    expect(pieces({ minimumFrequency: 1, minimumCharacterFrequency: 1 })[0]).toBe('▁狗');
  });

  it('normalises what it learns from and what it encodes, and keeps that in the file', () => {
    const options: LearnOptions = { merges: 50, lowercase: true, normalization: 'nfkc' };
    const tokenizer = learnTokenizer(['The THE the ﬁn ﬁn'], options);
    expect(tokenizer.pieces(tokenizer.encode('THE ﬁn'))).toEqual(['▁the', '▁fin']);
    const again = Tokenizer.fromJSON(JSON.stringify(tokenizer), 'test');
    expect(again.decode(again.encode('THE ﬁn'))).toBe('the fin');
  });

  it('never learns a control or byte token out of the text', () => {
    const text = Array.from({ length: 50 }, () => 'a</s>b >>de<<x <0x41> </s>');
    const tokenizer = learnTokenizer(text, { merges: 500, split: 'spaces', controlTokens: ['>>de<<'] });
    const ids = tokenizer.encode('a</s> </s> >>de<< <0x41>');
    expect([...ids].every((id) => id >= 260)).toBe(true);
  });

  it('gives the same tokenizer from a stream of bytes', async () => {
    async function* bytes(): AsyncGenerator<Uint8Array> {
      for (const byte of new TextEncoder().encode(lines.join('\r\n'))) yield Uint8Array.of(byte);
    }
    const options: LearnOptions = { merges: 20, minimumCharacterFrequency: 1 };
    expect(await learnTokenizerFromStream(readLines(bytes()), options)).toEqual(learnTokenizer(lines, options));
  });

  it('learns from a run of 10,000 characters without spaces', () => {
    const start = performance.now();
    const tokenizer = learnTokenizer(['我们今天去北京看长城'.repeat(1000)], { merges: 100 });
    expect(tokenizer.encode('我们今天去北京看长城'.repeat(16)).length).toBeLessThan(20);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('treats undefined options as absent', () => {
    const options: LearnOptions = {
      merges: 5,
      vocabularySize: undefined,
      split: undefined,
      minimumFrequency: undefined,
    };
    expect(learnTokenizer(lines, options)).toEqual(learnTokenizer(lines, { merges: 5 }));
  });

  it('learns from empty input', () => {
    const tokenizer = learnTokenizer([], { merges: 10 });
    expect(tokenizer.size).toBe(3 + 256 + 1);
    expect(tokenizer.decode(tokenizer.encode('anything, 什么'))).toBe('anything, 什么');
  });

  it.each<[LearnOptions, string]>([
    [{}, 'give either merges or vocabularySize, and not both.'],
    [{ merges: 1, vocabularySize: 1000 }, 'give either merges or vocabularySize, and not both.'],
    [{ merges: -1 }, 'merges must be a whole number of at least 0, got -1.'],
    [{ merges: 1.5 }, 'merges must be a whole number of at least 0, got 1.5.'],
    [{ vocabularySize: Number.NaN }, 'vocabularySize must be a whole number of at least 0, got NaN.'],
    [{ merges: 1, minimumFrequency: 0 }, 'minimumFrequency must be a whole number of at least 1, got 0.'],
    [
      { merges: 1, minimumCharacterFrequency: 0.5 },
      'minimumCharacterFrequency must be a whole number of at least 1, got 0.5.',
    ],
    [{ merges: 1, controlTokens: ['<s>'] }, 'control token "<s>" is given twice; name it once.'],
    [
      { vocabularySize: 262 },
      'vocabularySize must be at least 268 for 3 control tokens, 256 bytes and 9 characters, got 262; ' +
        'raise it or minimumCharacterFrequency.',
    ],
  ])('refuses %j', (options, message) => {
    expect(() => learnTokenizer(lines, options)).toThrow(`learnTokenizer: ${message}`);
  });
});
