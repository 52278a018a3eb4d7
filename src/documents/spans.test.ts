import { expect, test } from 'vitest';
import { overlap, overlapping } from './spans.ts';

test('overlap counts shared characters', () => {
  expect(overlap({ start: 0, end: 4 }, { start: 2, end: 9 })).toBe(2);
  expect(overlap({ start: 0, end: 2 }, { start: 2, end: 9 })).toBe(0);
  expect(overlap({ start: 5, end: 6 }, { start: 2, end: 3 })).toBe(0);
});

test('overlapping finds what a linear search finds', () => {
  const row = [2, 5, 6, 11, 20].map((end, i, ends) => ({ start: (ends[i - 1] ?? 0) + (i % 2), end }));
  for (let start = 0; start < 22; start++)
    for (let end = start + 1; end < 23; end++)
      expect(overlapping(row, { start, end })).toEqual(row.filter((one) => overlap(one, { start, end }) > 0));
});
