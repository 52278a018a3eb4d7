import { describe, expect, it } from 'vitest';
import { tokenizedWarning } from './tokenized-warning.ts';

const lines = (tokenized: number, plain: number) => [
  ...Array<string>(tokenized).fill('a cat .'),
  ...Array<string>(plain).fill('A cat.'),
];

describe('tokenizedWarning', () => {
  it('warns from 100 lines on, however large the corpus', () => {
    expect(tokenizedWarning(lines(100, 5000))).toMatch(/^100 of 5100 lines end in " \."/);
    expect(tokenizedWarning(lines(99, 5000))).toBeUndefined();
  });
  it('warns of a small corpus if most of its lines end so', () => {
    expect(tokenizedWarning(lines(3, 2))).toContain('3 of 5 lines');
    expect(tokenizedWarning(lines(2, 2))).toBeUndefined();
  });
  it('ignores trailing white space and empty input', () => {
    expect(tokenizedWarning(['a cat . \r'])).toContain('1 of 1 lines');
    expect(tokenizedWarning(['a cat .x', 'a cat.', '.', ''])).toBeUndefined();
    expect(tokenizedWarning([])).toBeUndefined();
  });
});
