import { describe, expect, it } from 'vitest';
import { contains, missingPhrases, nextPhraseTokens, writtenPhraseTokens } from './phrases.ts';

const [a, b, c, x] = [1, 2, 3, 9];

describe('phrases', () => {
  it('are found in an output as contiguous sequences only', () => {
    expect(contains([x, a, b], [a, b])).toBe(true);
    expect(contains([a, x, b], [a, b])).toBe(false);
    expect(contains([a], [a, b])).toBe(false);
  });
  it('may share tokens', () => {
    expect(
      missingPhrases(
        [a, b, c],
        [
          [a, b],
          [b, c],
          [c, a],
        ],
      ),
    ).toEqual([2]);
  });
  it('count fully if present, else by their longest prefix at the end', () => {
    expect(writtenPhraseTokens([x], [[a, b, c]])).toBe(0);
    expect(writtenPhraseTokens([x, a, b], [[a, b, c]])).toBe(2);
    expect(writtenPhraseTokens([a, b, x], [[a, b, c]])).toBe(0);
    expect(writtenPhraseTokens([c, x, a, b], [[a, b, c], [c], [b, b]])).toBe(3);
  });
  it('fall back to a shorter prefix if one matches', () => {
    expect(writtenPhraseTokens([a, a, a], [[a, a, b]])).toBe(2);
    expect(nextPhraseTokens([a, a, a], [[a, a, b]])).toEqual(new Set([b]));
  });
  it('continue with the next token of each missing one', () => {
    expect(nextPhraseTokens([x, a], [[a, b], [c, c], [x]])).toEqual(new Set([b, c]));
    expect(nextPhraseTokens([a, b], [[a, b]])).toEqual(new Set());
  });
});
