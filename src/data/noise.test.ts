import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import { changeCase, misspell } from './noise.ts';

describe('changeCase', () => {
  it('changes to upper case, lower case or title case', () => {
    const forms = new Set(Array.from({ length: 50 }, (_, i) => changeCase('eine Öl-Dose in 3D', 1, Random.of(i))));
    expect(forms).toEqual(new Set(['EINE ÖL-DOSE IN 3D', 'eine öl-dose in 3d', 'Eine Öl-Dose In 3D']));
  });

  it('changes the given share of texts', () => {
    const changed = Array.from({ length: 4000 }, (_, i) => changeCase('aBc', 0.25, Random.of(i))).filter(
      (text) => text !== 'aBc',
    );
    expect(changed.length / 4000).toBeCloseTo(0.25, 1);
    expect(changeCase('aBc', 0, Random.of(1))).toBe('aBc');
  });
});

describe('misspell', () => {
  it('leaves out, doubles, swaps or replaces letters', () => {
    const forms = new Set(Array.from({ length: 400 }, (_, i) => misspell('ab', 0.5, Random.of(i))));
    for (const form of ['a', 'b', 'aab', 'abb', 'ba', 'aa', 'bb', 'ab']) expect(forms).toContain(form);
  });

  it('makes errors at the given rate', () => {
    // Letters without a neighbour: half of the errors, leaving out and doubling, change them.
    const words = misspell('x1'.repeat(20_000), 0.1, Random.of(1)).split('1').slice(0, -1);
    expect(words.filter((word) => word !== 'x').length / words.length).toBeCloseTo(0.05, 2);
  });

  it('changes letters only', () => {
    const others = (text: string) => [...text].filter((character) => !/\p{L}/u.test(character)).join('');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, seed) => {
        expect(others(misspell(text, 0.5, Random.of(seed)))).toBe(others(text));
      }),
    );
    expect(misspell('1,234.56 €', 1, Random.of(1))).toBe('1,234.56 €');
  });

  it('is a function of the stream, and does nothing at rate 0', () => {
    expect(misspell('some words', 0.5, Random.of(3))).toBe(misspell('some words', 0.5, Random.of(3)));
    expect(misspell('some words', 0, Random.of(3))).toBe('some words');
  });
});
