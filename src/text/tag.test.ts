import { describe, expect, it } from 'vitest';
import { learnTokenizer } from './learn-tokenizer.ts';
import { tagFor } from './tag.ts';

describe('tagFor', () => {
  it('is the control token of a language', () => {
    expect(tagFor('zh')).toBe('>>zh<<');
    expect(tagFor('pt-BR')).toBe('>>pt-BR<<');
  });

  it('refuses invalid language codes', () => {
    for (const language of ['', 'a b', '>>zh<<', 'd▁e'])
      expect(() => tagFor(language)).toThrow(
        'tag: a target language is letters, digits, - and _, such as zh or pt-BR, got',
      );
  });

  it('is never produced by text', () => {
    const lines = Array<string>(20).fill('say >>zh<< and >>zh<< again');
    const tokenizer = learnTokenizer(lines, { merges: 200, controlTokens: [tagFor('zh')] });
    const tag = tokenizer.controlId('>>zh<<');
    expect(tokenizer.encode('>>zh<< say >>zh<<')).not.toContain(tag);
    expect(tokenizer.decode(tokenizer.encode('>>zh<< say'))).toBe('>>zh<< say');
  });
});
