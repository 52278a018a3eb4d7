import { describe, expect, it } from 'vitest';
import { collate } from './collate.ts';

const pairs = [
  { source: Int32Array.of(11, 12, 13), target: Int32Array.of(21) },
  { source: Int32Array.of(14), target: Int32Array.of(22, 23) },
  { source: Int32Array.of(15, 16), target: Int32Array.of(24, 25, 26) },
];

describe('collate', () => {
  it('ends, shifts and pads, each side with its own ids', () => {
    const source = { padId: 0, startId: 1, endId: 2 };
    const target = { padId: 7, startId: 8, endId: 9 };
    expect(collate([pairs[1], pairs[0]], { source, target })).toEqual({
      rows: 2,
      sourceLength: 4,
      targetLength: 3,
      source: Int32Array.of(14, 2, 0, 0, 11, 12, 13, 2),
      decoderInput: Int32Array.of(8, 22, 23, 8, 21, 7),
      expected: Int32Array.of(22, 23, 9, 21, 9, 7),
      sourceLengths: Int32Array.of(2, 4),
      targetLengths: Int32Array.of(3, 2),
      targetTokens: 5,
    });
  });

  it('never gives the decoder the token that it must predict', () => {
    const ids = { padId: 0, startId: 1, endId: 2 };
    const batch = collate([pairs[2]], { source: ids, target: ids });
    expect([...batch.decoderInput]).toEqual([1, 24, 25, 26]);
    expect([...batch.expected]).toEqual([24, 25, 26, 2]);
  });
});
