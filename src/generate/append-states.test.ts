import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import type { StateSpec } from '../nn/index.ts';
import type { Values } from '../runtime/index.ts';
import { AppendStates } from './append-states.ts';
import { ArrayPool } from './array-pool.ts';
import { keepBlocks } from './blocks.ts';

const shape = { layers: 2, heads: 3, dKey: 2, dValue: 1 };
const specs = [0, 1].flatMap((layer): StateSpec[] => [
  { name: `${layer}.keys`, kind: 'append', shape: [shape.heads, 'length', shape.dKey] },
  { name: `${layer}.values`, kind: 'append', shape: [shape.heads, 'length', shape.dValue] },
]);

/** A number for each row and step, different from all others, from which the stored keys and values are made. */
type History = number[];

describe('AppendStates', () => {
  it.each([
    ['beams that are re-ordered', 4, (random: Random, width: number) => random.integer(width)],
    ['one hypothesis', 1, () => 0],
  ] as const)('keeps each row’s own history: %s', (_, width, choose) => {
    const random = Random.of(5);
    const states = new AppendStates(specs, { sentences: 3, width }, new ArrayPool());
    let active = [0, 1, 2];
    let histories: History[] = active.flatMap(() => Array.from({ length: width }, () => []));
    for (let step = 0; step < 60; step++) {
      if (step === 20 || step === 41) {
        const places = step === 20 ? [0, 2] : [1];
        const rows = places.flatMap((place) => Array.from({ length: width }, (_, i) => place * width + i));
        states.retain(places);
        active = places.map((place) => active[place]);
        advance(rows);
      } else if (step > 0) {
        advance(histories.map((_, row) => Math.floor(row / width) * width + choose(random, width)));
      }
      expect(states.length).toBe(step);
      expectHistories(states, histories);
      const marks = histories.map((_, row) => 1000 * step + row + 1);
      states.append({
        'appended.keys.6': rowsOf(marks, width, shape.dKey, 1),
        'appended.values.3': rowsOf(marks, width, shape.dValue, -1),
      });
      histories = histories.map((history, row) => [...history, marks[row]]);
    }

    function advance(parents: number[]): void {
      states.reorder(Int32Array.from(parents));
      histories = parents.map((parent) => histories[parent]);
    }
  });
});

describe('keepBlocks', () => {
  it.each([[[0, 2, 3]], [[1, 2, 4]], [[0, 1]], [[4]], [[]], [[0, 1, 2, 3, 4]]])(
    'moves the retained blocks of each row to the front: %j',
    (places) => {
      const data = Float32Array.from({ length: 30 }, (_, i) => i);
      keepBlocks(data, places, { size: 2, blocks: 5, times: 3 });
      const expected = [0, 10, 20].flatMap((row) => places.flatMap((i) => [row + 2 * i, row + 2 * i + 1]));
      expect([...data.subarray(0, expected.length)]).toEqual(expected);
    },
  );
});

/** [L·W, sentences, H, entries]: a row's mark times `sign`, plus a small number that names layer and head. */
function rowsOf(marks: number[], width: number, entries: number, sign: number): Values {
  const sentences = marks.length / width;
  const parts = Array.from({ length: shape.layers * width }, (_, slot) =>
    Array.from({ length: sentences }, (_, sentence) =>
      Array.from({ length: shape.heads }, (_, head) => {
        const name = (Math.floor(slot / width) * shape.heads + head) / 8;
        return new Array<number>(entries).fill(sign * marks[sentence * width + (slot % width)] + name);
      }),
    ),
  );
  return { shape: [parts.length, sentences, shape.heads * entries], data: Float32Array.from(parts.flat(3)) };
}

function expectHistories(states: AppendStates, histories: readonly History[]): void {
  const { shape: maskShape, data: mask } = states.mask;
  const [sentences, , width, seen] = maskShape;
  const slots = seen - width;
  expect(sentences * width).toBe(histories.length);
  const own = histories.map((_, row) => [...mask.subarray(row * seen + slots, (row + 1) * seen)]);
  expect(own).toEqual(histories.map((_, row) => Array.from({ length: width }, (_, i) => Number(i === row % width))));
  const { data: places } = states.keyPositions;
  expect([...places]).toEqual(Array.from({ length: seen }, (_, slot) => Math.floor(slot / width)));
  const feeds = new Map(states.feeds);
  for (let layer = 0; layer < shape.layers; layer++) {
    const [keys, values] = [fed(feeds, `${layer}.keys`), fed(feeds, `${layer}.values`)];
    const { shape: keysShape, data } = keys;
    expect(keysShape).toEqual([slots, sentences, shape.heads, shape.dKey]);
    expect(values.shape).toEqual([slots, sentences, shape.heads, shape.dValue]);
    histories.forEach((history, row) => {
      const visible = Array.from({ length: slots }, (_, slot) => slot).filter((slot) => mask[row * seen + slot] === 1);
      for (let head = 0; head < shape.heads; head++) {
        const entry = (slot: number) => (slot * sentences + Math.floor(row / width)) * shape.heads + head;
        const name = (layer * shape.heads + head) / 8;
        const seenKeys = visible.map((slot) => data[entry(slot) * shape.dKey + 1]);
        expect(seenKeys).toEqual(history.map((mark) => mark + name));
        expect(visible.map((slot) => values.data[entry(slot)])).toEqual(history.map((mark) => -mark + name));
      }
    });
  }
}

function fed(feeds: ReadonlyMap<string, Values>, name: string): Values {
  const values = feeds.get(name);
  if (values === undefined) throw new Error(`no feed named ${name}`);
  return values;
}
