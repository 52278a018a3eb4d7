import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallTokenizer } from '../../test/small-model.ts';
import { learnTokenizer } from '../text/index.ts';
import { atWordStart, bothForms, insideWord, isUnspaced } from './word-forms.ts';

const tokenizer = smallTokenizer(40);

describe('forms of a text', () => {
  it('begin with a space or not', () => {
    expect(tokenizer.pieces(atWordStart(tokenizer, 'cat')).join('')).toBe('▁cat');
    expect(tokenizer.pieces(insideWord(tokenizer, 'cat')).join('')).toBe('cat');
    expect(bothForms(tokenizer, 'cat')).toHaveLength(2);
  });
  it('encode the text after another', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('categories', 'spaces'), (text, split) => {
        const other = learnTokenizer(['the cat, the dog (the mat)'], { merges: 30, split, minimumFrequency: 1 });
        const before = [...other.encode('(')];
        const wellFormed = text.replace(/\p{Surrogate}/gu, '\uFFFD');
        expect(other.decode([...before, ...insideWord(other, text)])).toBe(`(${wellFormed}`);
      }),
    );
  });
  it('know the scripts without spaces', () => {
    expect(['中', 'ひ', 'カ', 'ー', 'ไ'].map(isUnspaced)).toEqual([true, true, true, true, true]);
    expect(['a', 'é', '1', '한', 'ع', '('].map(isUnspaced)).toEqual([false, false, false, false, false, false]);
  });
});
