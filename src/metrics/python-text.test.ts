import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFixed, splitOnWhiteSpace, trim, trimEnd } from './python-text.ts';

// The 29 characters for which Python's str.isspace() is true.
const PYTHON_WHITE_SPACE = [
  ...[0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680],
  ...[0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
];

describe('white space', () => {
  it("is Python's, of all Unicode characters", () => {
    const found = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      if (splitOnWhiteSpace(String.fromCodePoint(code)).length === 0) found.push(code);
    }
    expect(found).toEqual(PYTHON_WHITE_SPACE);
  });
  it('splits into words, none of them empty', () => {
    expect(splitOnWhiteSpace(' a\u001cb \u0085\u3000c\ufeffd\u200be\r\n')).toEqual(['a', 'b', 'c\ufeffd\u200be']);
    expect(splitOnWhiteSpace('')).toEqual([]);
    expect(splitOnWhiteSpace(' \t')).toEqual([]);
  });
  it('is trimmed at the ends only', () => {
    expect(trimEnd(' a b\ufeff\u001f\r\n')).toBe(' a b\ufeff');
    expect(trim('\u001f\u00a0 a b \u2028')).toBe('a b');
    expect(trim(' \t ')).toBe('');
  });
});

describe('formatFixed', () => {
  it('rounds ties to the even digit and everything else to the nearest', () => {
    const examples: [number, number, string][] = [
      [6.25, 1, '6.2'],
      [6.75, 1, '6.8'],
      [18.75, 1, '18.8'],
      [0.125, 2, '0.12'],
      [0.5, 0, '0'],
      [1.5, 0, '2'],
      [2.675, 2, '2.67'],
      [0.15, 1, '0.1'],
      [0.35, 1, '0.3'],
      [100, 1, '100.0'],
      [0, 3, '0.000'],
    ];
    for (const [value, decimals, text] of examples) expect(formatFixed(value, decimals)).toBe(text);
  });
  it('is never further from the value than half a digit', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1000, noNaN: true }), fc.integer({ min: 0, max: 6 }), (value, decimals) => {
        expect(Math.abs(Number(formatFixed(value, decimals)) - value)).toBeLessThanOrEqual(0.5000001 * 10 ** -decimals);
      }),
    );
  });
});
