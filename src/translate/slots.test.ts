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
      cache.append(ownOf(marks, width, shape.dKey, 1), ownOf(marks, width, shape.dValue, -1));
      histories = histories.map((history, row) => [...history, marks[row]]);
    }

    function advance(parents: number[]): void {
      cache.follow(Int32Array.from(parents));
      histories = parents.map((parent) => histories[parent]);
    }
  });
});

describe('rows of a sentence that is alone', () => {
  it('are cached as those of a batch', () => {
    const width = 3;
    const [whole, byRows] = [0, 0].map(() => new SlotCache({ ...shape, sentences: 1, width }, new ArrayPool()));
    for (let step = 0; step < 9; step++) {
      if (step > 0) for (const cache of [whole, byRows]) cache.follow(Int32Array.of(1, 1, 0));
      const marks = [1, 2, 3].map((row) => 10 * step + row);
      const [keys, values] = [ownOf(marks, width, shape.dKey, 1), ownOf(marks, width, shape.dValue, -1)];
      whole.append(keys, values);
      byRows.appendRows(rowsOf([keys, values], width));
    }
    for (const cache of [whole, byRows]) cache.follow(Int32Array.of(0, 1, 2));
    expect(byRows.pastKeys).toEqual(whole.pastKeys);
    expect(byRows.pastValues).toEqual(whole.pastValues);
    expect(byRows.pastMask).toEqual(whole.pastMask);
  });
});

/** [L·H, W, K] and [L·H, W, V] as rows: of each hypothesis, layer by layer, the keys of all heads and then their values. */
function rowsOf(arrays: readonly Float32Array[], width: number): Float32Array {
  const rows = Array.from({ length: width }, (_, row) =>
    Array.from({ length: shape.layers }, (_, layer) =>
      arrays.map((array) => {
        const size = array.length / (shape.layers * shape.heads * width);
        return Array.from({ length: shape.heads }, (_, head) => {
          const from = ((layer * shape.heads + head) * width + row) * size;
          return [...array.subarray(from, from + size)];
        });
      }),
    ),
  );
  return Float32Array.from(rows.flat(4));
}

describe('keepBlocks', () => {
  it('moves the kept ones to the front', () => {
    const data = Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7);
    keepBlocks(data, 2, [0, 2, 3]);
    expect([...data.subarray(0, 6)]).toEqual([0, 1, 4, 5, 6, 7]);
  });
});

/** [sentences, L·H, W, entries]: a row's mark times `sign`, plus a small number that names layer and head. */
function ownOf(marks: number[], width: number, entries: number, sign: number): Float32Array {
  const blocks = shape.layers * shape.heads;
  const size = (marks.length / width) * blocks * width * entries;
  return Float32Array.from({ length: size }, (_, i) => {
    const hypothesis = Math.floor(i / entries) % width;
    const block = Math.floor(i / (entries * width)) % blocks;
    const sentence = Math.floor(i / (entries * width * blocks));
    return sign * marks[sentence * width + hypothesis] + block / 8;
  });
}

function expectHistories(cache: SlotCache, histories: readonly History[]): void {
  const { shape: maskShape, data: mask } = cache.pastMask;
  const [sentences, , width, slots] = maskShape;
  expect(sentences * width).toBe(histories.length);
  for (const [layer, { data }] of cache.pastKeys.entries()) {
    const values = cache.pastValues[layer].data;
    histories.forEach((history, row) => {
      const visible = Array.from({ length: slots }, (_, slot) => slot).filter((slot) => mask[row * slots + slot] === 1);
      for (let head = 0; head < shape.heads; head++) {
        const first = (Math.floor(row / width) * shape.heads + head) * slots;
        const name = (layer * shape.heads + head) / 8;
        const keys = visible.map((slot) => data[(first + slot) * shape.dKey + 1]);
        expect(keys.toSorted((a, b) => a - b)).toEqual(history.map((mark) => mark + name));
        expect(visible.map((slot) => values[first + slot]).toSorted((a, b) => b - a)).toEqual(
          history.map((mark) => -mark + name),
        );
      }
    });
  }
}
