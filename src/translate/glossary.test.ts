import { describe, expect, it } from 'vitest';
import { smallTokenizer } from '../../test/small-model.ts';
import { forcedPhrase, Glossary } from './glossary.ts';

const found = (line: string, ...sources: string[]) =>
  new Glossary(sources.map((source) => ({ source, target: 'x' }))).entriesIn(line).map(({ source }) => source);

describe('Glossary', () => {
  it('finds whole words only, case-sensitively', () => {
    expect(found('the art of a party', 'art')).toEqual(['art']);
    expect(found('a party', 'art')).toEqual([]);
    expect(found('Art', 'art')).toEqual([]);
    expect(found('(art)', 'art')).toEqual(['art']);
    expect(found('art, art', 'art')).toEqual(['art']);
    expect(found('café1 caféx', 'café')).toEqual([]);
    expect(found('cafe\u0301', 'cafe')).toEqual([]);
  });
  it('prefers the longest of overlapping terms', () => {
    expect(found('in New York', 'York', 'New York')).toEqual(['New York']);
    expect(found('from York to New York', 'York', 'New York')).toEqual(['New York', 'York']);
  });
  it('treats terms literally', () => {
    expect(found('C++ (new)', 'C++', '(new)', '.')).toEqual(['(new)', 'C++']);
    expect(found('a-b a/b', 'a-b', 'a/b')).toEqual(['a-b', 'a/b']);
  });
  it('finds terms of scripts without spaces anywhere', () => {
    expect(found('私は東京に住む', '東京')).toEqual(['東京']);
  });
  it('reads lines of two terms', () => {
    const { entries } = Glossary.parse(['cat\tKatze', '', ' dog \t Hund '], 'terms.tsv');
    expect(entries).toEqual([
      { source: 'cat', target: 'Katze' },
      { source: 'dog', target: 'Hund' },
    ]);
  });
  it.each([
    [['cat Katze'], 'terms.tsv, line 1: must be a source term, a tab, a target term, got "cat Katze".'],
    [['a\tb', 'cat\t'], 'terms.tsv, line 2: must be a source term, a tab, a target term, got "cat\\t".'],
    [['a\tb\tc'], 'terms.tsv, line 1: must be a source term, a tab, a target term, got "a\\tb\\tc".'],
    [['a\tb', 'a\tc'], 'terms.tsv: “a” must have one translation, got “b” and “c”.'],
  ])('refuses %j', (lines, message) => {
    expect(() => Glossary.parse(lines, 'terms.tsv')).toThrow(message);
  });
  it('refuses empty terms', () => {
    expect(() => new Glossary([{ source: 'a', target: ' ' }])).toThrow(
      'glossary: a term must not be empty, got ["a"," "].',
    );
  });
  it('forces a term at the start of a word, or directly in scripts without spaces', () => {
    const tokenizer = smallTokenizer(10);
    expect(tokenizer.pieces(forcedPhrase(tokenizer, 'cat'))[0]).toMatch(/^▁/);
    expect(tokenizer.decode(forcedPhrase(tokenizer, '東京'))).toBe('東京');
    expect(tokenizer.pieces(forcedPhrase(tokenizer, '東京'))[0]).toBe('<0xE6>');
  });
});
