import { expect, it } from 'vitest';
import { normalize } from './normalizer.ts';

it('changes nothing by default', () => {
  const text = 'e\u0301 é ﬁ … \u00A0 ΑΣ ！\uFEFF\0';
  expect(normalize(text, { normalization: 'none', lowercase: false })).toBe(text);
});

it('composes, folds and lower-cases on request', () => {
  expect(normalize('E\u0301 ﬁ', { normalization: 'nfc', lowercase: false })).toBe('É ﬁ');
  expect(normalize('e\u0301 ﬁ\u00A0！…', { normalization: 'nfkc', lowercase: false })).toBe('é fi !...');
  expect(normalize('E\u0301 ΑΣ', { normalization: 'nfc', lowercase: true })).toBe('é ας');
});

it('replaces lone surrogates, and only those', () => {
  const options = { normalization: 'none', lowercase: false } as const;
  expect(normalize('a\uD83Db\uDC00😀', options)).toBe('a\uFFFDb\uFFFD😀');
});
