// Our tokenizers against the two implementations of Hugging Face: Python's through golden values (written by
// tools/golden/tokenizer.py), JavaScript's directly. Intended differences have tests, too.

import { readFileSync } from 'node:fs';
import { Tokenizer as JavaScriptTokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LearnOptions, learnTokenizer, splitLines, Tokenizer } from './index.ts';

interface Encoding {
  text: string;
  ids: number[];
  decoded: string;
}

interface Golden {
  reference: string;
  settings: Record<string, Setting>;
}

interface Setting {
  options: LearnOptions;
  tokenizer: { model: { merges: [string, string][] } };
  learned?: [string, string][];
  encodings: Encoding[];
  differences: Encoding[];
}

const goldenFolder = new URL('../../test/golden/', import.meta.url);
const golden = JSON.parse(readFileSync(new URL('tokenizer.json', goldenFolder), 'utf8')) as Golden;
const corpus = splitLines(readFileSync(new URL('tokenizer-corpus.txt', goldenFolder), 'utf8'));

describe.each(Object.entries(golden.settings))(`Python ${golden.reference}: %s`, (_, setting) => {
  const tokenizer = Tokenizer.fromJSON(JSON.stringify(setting.tokenizer), 'golden');

  it('is the tokenizer that we learn today', () => {
    expect(JSON.parse(JSON.stringify(learnTokenizer(corpus, setting.options)))).toEqual(setting.tokenizer);
  });

  it.each(setting.learned ? [setting.learned] : [])('learns the same merges', (...learned) => {
    expect(setting.tokenizer.model.merges).toEqual(learned);
  });

  it.each(setting.encodings)('encodes and decodes $text alike', ({ text, ids, decoded }) => {
    expect([...tokenizer.encode(text)]).toEqual(ids);
    expect(tokenizer.decode(ids)).toBe(decoded);
  });

  it.each(setting.differences)('still encodes $text differently', ({ text, ids }) => {
    expect([...tokenizer.encode(text)]).not.toEqual(ids);
  });
});

describe.each(Object.entries(golden.settings))('JavaScript @huggingface/tokenizers: %s', (_, setting) => {
  const ours = Tokenizer.fromJSON(JSON.stringify(setting.tokenizer), 'golden');
  const theirs = new JavaScriptTokenizer(setting.tokenizer, { clean_up_tokenization_spaces: false });
  const theirIds = (text: string): number[] => theirs.encode(text, { add_special_tokens: false }).ids;

  it('encodes and decodes ordinary text alike', () => {
    for (const text of [...corpus, ...setting.encodings.map((encoding) => encoding.text)]) {
      const ids = [...ours.encode(text)];
      expect(theirIds(text)).toEqual(ids);
      if (text !== '' && !text.includes('\uFEFF')) expect(theirs.decode(ids)).toBe(ours.decode(ids));
    }
  });

  it('encodes every text alike that has no control token and no ▁', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom(...corpus.join('')),
    );
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        fc.pre(!/[▁<>]/u.test(text));
        expect(theirIds(text)).toEqual([...ours.encode(text)]);
      }),
      { numRuns: 1000 },
    );
  });

  it('still takes control tokens out of the text, ▁ for a space, and fails on nothing', () => {
    for (const text of ['</s>', 'a</s>b', '▁', 'a▁b']) expect(theirIds(text)).not.toEqual([...ours.encode(text)]);
    expect(() => theirs.decode([])).toThrow('non-empty');
    expect(ours.decode([])).toBe('');
  });

  it('still loses a byte-order mark that goes by its bytes', () => {
    const ids = [...ours.encode('a\uFEFFb')];
    expect(ours.decode(ids)).toBe('a\uFEFFb');
    expect(theirs.decode(ids)).toBe('ab');
  });
});
