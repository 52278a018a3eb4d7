import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchesByLength, padded } from './batches.ts';

const items = fc
  .array(fc.integer({ min: 1, max: 20 }))
  .map((lengths) => lengths.map((length, place) => ({ length, place })));

describe('batchesByLength', () => {
  it('puts every item into one batch, each within the limit unless a single item exceeds it', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 60 }), (given, batchTokens) => {
        const batches = batchesByLength(given, batchTokens);
        expect(batches.flat().toSorted((a, b) => a.place - b.place)).toEqual(given);
        for (const batch of batches) {
          const longest = Math.max(...batch.map(({ length }) => length));
          expect(batch.length === 1 || batch.length * longest <= batchTokens).toBe(true);
        }
      }),
    );
  });
  it('groups items of similar length, the longest first', () => {
    const given = [2, 9, 2, 9].map((length, place) => ({ length, place }));
    expect(batchesByLength(given, 18).map((batch) => batch.map(({ place }) => place))).toEqual([
      [1, 3],
      [0, 2],
    ]);
  });
});

describe('padded', () => {
  it('pads every row', () => {
    expect(padded([[5, 6], Int32Array.of(7), []], 1)).toEqual({
      shape: [3, 2],
      data: Int32Array.of(5, 6, 7, 1, 1, 1),
    });
  });
});
