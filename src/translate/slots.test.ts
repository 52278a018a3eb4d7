import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import { ArrayPool } from './array-pool.ts';
import { keepBlocks, SlotCache } from './slots.ts';

const shape = { layers: 2, heads: 3, dKey: 2, dValue: 1 };

/** What a row cached at each step, as a number, by which its keys and values can be told from all others. */
type History = number[];

describe('SlotCache', () => {
  it.each([
    ['beams that mix', 4, (random: Random, width: number) => random.integer(width)],
    ['one hypothesis', 1, () => 0],
  ] as const)('gives each row its own history: %s', (_, width, choose) => {
    const random = Random.of(5);
    const cache = new SlotCache({ ...shape, sentences: 3, width }, new ArrayPool());
    let active = [0, 1, 2];
    let histories: History[] = active.flatMap(() => Array.from({ length: width }, () => []));
    for (let step = 0; step < 60; step++) {
      if (step === 20 || step === 41) {
        const places = step === 20 ? [0, 2] : [1];
        const rows = places.flatMap((place) => Array.from({ length: width }, (_, i) => place * width + i));
        cache.keep(places);
        active = places.map((place) => active[place]);
        advance(rows);
      } else if (step > 0) {
        advance(histories.map((_, row) => Math.floor(row / width) * width + choose(random, width)));
      }
      expect(cache.length).toBe(step);
      expectHistories(cache, histories);
      const marks = histories.map((_, row) => 1000 * step + row + 1);
      cache.append({ keys: ownOf(marks, width, shape.dKey, 1), values: ownOf(marks, width, shape.dValue, -1) });
      histories = histories.map((history, row) => [...history, marks[row]]);
    }

    function advance(parents: number[]): void {
      cache.follow(Int32Array.from(parents));
      histories = parents.map((parent) => histories[parent]);
    }
  });
});

describe('keepBlocks', () => {
  it.each([[[0, 2, 3]], [[1, 2, 4]], [[0, 1]], [[4]], [[]], [[0, 1, 2, 3, 4]]])(
    'moves the kept ones to the front, of each row of blocks: %j',
    (places) => {
      const data = Float32Array.from({ length: 30 }, (_, i) => i);
      keepBlocks(data, places, { size: 2, blocks: 5, times: 3 });
      const expected = [0, 10, 20].flatMap((row) => places.flatMap((i) => [row + 2 * i, row + 2 * i + 1]));
      expect([...data.subarray(0, expected.length)]).toEqual(expected);
    },
  );
});

/** [L·W, sentences, H, entries]: a row's mark times `sign`, plus a small number that names layer and head. */
function ownOf(marks: number[], width: number, entries: number, sign: number): Float32Array {
  const sentences = marks.length / width;
  const parts = Array.from({ length: shape.layers * width }, (_, slot) =>
    Array.from({ length: sentences }, (_, sentence) =>
      Array.from({ length: shape.heads }, (_, head) => {
        const name = (Math.floor(slot / width) * shape.heads + head) / 8;
        return new Array<number>(entries).fill(sign * marks[sentence * width + (slot % width)] + name);
      }),
    ),
  );
  return Float32Array.from(parts.flat(3));
}

function expectHistories(cache: SlotCache, histories: readonly History[]): void {
  const { shape: maskShape, data: mask } = cache.mask;
  const [sentences, , width, seen] = maskShape;
  const slots = seen - width;
  expect(sentences * width).toBe(histories.length);
  const own = histories.map((_, row) => [...mask.subarray(row * seen + slots, (row + 1) * seen)]);
  expect(own).toEqual(histories.map((_, row) => Array.from({ length: width }, (_, i) => Number(i === row % width))));
  for (const [layer, { shape: keysShape, data }] of cache.pastKeys.entries()) {
    const values = cache.pastValues[layer];
    expect(keysShape).toEqual([slots, sentences, shape.heads, shape.dKey]);
    expect(values.shape).toEqual([slots, sentences, shape.heads, shape.dValue]);
    histories.forEach((history, row) => {
      const visible = Array.from({ length: slots }, (_, slot) => slot).filter((slot) => mask[row * seen + slot] === 1);
      for (let head = 0; head < shape.heads; head++) {
        const entry = (slot: number) => (slot * sentences + Math.floor(row / width)) * shape.heads + head;
        const name = (layer * shape.heads + head) / 8;
        const keys = visible.map((slot) => data[entry(slot) * shape.dKey + 1]);
        expect(keys).toEqual(history.map((mark) => mark + name));
        expect(visible.map((slot) => values.data[entry(slot)])).toEqual(history.map((mark) => -mark + name));
      }
    });
  }
}
