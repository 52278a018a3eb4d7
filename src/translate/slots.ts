// The cache of decoding: keys and values of every hypothesis and step. The hypotheses of a sentence share its slots, W new
// ones a step, and each knows which of them are its history. So re-ordering beams copies no keys.

import type { Values } from '../runtime/index.ts';
import type { ArrayPool } from './array-pool.ts';

/** Steps that there is room for at first, and at least so many more when it runs out. */
const STEPS = 4;

export interface CacheShape {
  readonly layers: number;
  readonly heads: number;
  readonly dKey: number;
  readonly dValue: number;
  readonly sentences: number;
  /** W, hypotheses a sentence. */
  readonly width: number;
}

export class SlotCache {
  /** One for each layer. */
  private readonly keys: readonly SlotArray[];
  private readonly values: readonly SlotArray[];
  /** The slots that are each row's history, [rows, steps]. */
  private history = new Int32Array(0);
  private steps = 0;
  /** Slots written, and slots that there is room for, of each sentence. */
  private used = 0;
  private room: number;
  private sentences: number;
  private readonly width: number;

  constructor({ layers, heads, dKey, dValue, sentences, width }: CacheShape, pool: ArrayPool) {
    this.sentences = sentences;
    this.width = width;
    this.room = STEPS * width;
    const arrays = (entries: number) =>
      Array.from({ length: layers }, () => new SlotArray({ heads, entries, slots: this.room }, sentences, pool));
    this.keys = arrays(dKey);
    this.values = arrays(dValue);
  }

  /** Steps cached of each row. */
  get length(): number {
    return this.steps;
  }

  /** Keeps some of the sentences, by their places among those there are, ascending. */
  keep(places: readonly number[]): void {
    for (const array of this.arrays) array.keep(places);
    this.sentences = places.length;
  }

  /** Makes the rows of the next step those that continue the given rows of the last one. */
  follow(parents: Int32Array): void {
    const { steps, width, used } = this;
    const before = steps - 1;
    const next = new Int32Array(parents.length * steps);
    parents.forEach((parent, row) => {
      next.set(this.history.subarray(parent * before, (parent + 1) * before), row * steps);
      next[row * steps + before] = used - width + (parent % width);
    });
    this.history = next;
    if (used + width > this.room) this.makeRoom();
  }

  /** Takes what the rows of this step computed: keys [sentences, L·H, W, K] and values [sentences, L·H, W, V]. */
  append(keys: Float32Array, values: Float32Array): void {
    const write = (arrays: readonly SlotArray[], own: Float32Array) => {
      for (const [layer, array] of arrays.entries()) {
        array.write(own, { slot: this.used, layer, layers: arrays.length, width: this.width });
      }
    };
    write(this.keys, keys);
    write(this.values, values);
    this.used += this.width;
    this.steps++;
  }

  /** The same of a sentence that is alone, as rows [W, L · (H·K + H·V)]. */
  appendRows(rows: Float32Array): void {
    for (let row = 0, from = 0; row < this.width; row++) {
      for (const [layer, keys] of this.keys.entries()) {
        from += keys.writeRow(rows, from, this.used + row);
        from += this.values[layer].writeRow(rows, from, this.used + row);
      }
    }
    this.used += this.width;
    this.steps++;
  }

  /** Layer by layer, [sentences, H, slots, K]. */
  get pastKeys(): Values[] {
    return this.keys.map((array) => array.asValues(this.sentences));
  }

  get pastValues(): Values[] {
    return this.values.map((array) => array.asValues(this.sentences));
  }

  /** [sentences, 1, W, slots]: 1 where a slot is of the row's history. */
  get pastMask(): Values {
    const { sentences, width, steps, room, history } = this;
    const data = new Float32Array(sentences * width * room);
    history.forEach((slot, i) => {
      data[Math.floor(i / steps) * room + slot] = 1;
    });
    return { shape: [sentences, 1, width, room], data };
  }

  /** Gives its memory back; the cache is not to be used any more. */
  release(): void {
    for (const array of this.arrays) array.release();
  }

  private get arrays(): SlotArray[] {
    return [...this.keys, ...this.values];
  }

  /** How much there is depends on nothing but the steps done, so that batch mates cannot matter, not even to rounding. */
  private makeRoom(): void {
    this.room += Math.max(STEPS * this.width, Math.ceil(this.room / 4));
    for (const array of this.arrays) array.resize(this.sentences, this.room);
  }
}

/** [sentences, H, slots, entries] of one layer, in a buffer that may be longer. Slots not written yet hold any finite numbers. */
class SlotArray {
  private readonly heads: number;
  private readonly entries: number;
  private slots: number;
  private data: Float32Array;

  constructor(
    { heads, entries, slots }: { heads: number; entries: number; slots: number },
    sentences: number,
    private readonly pool: ArrayPool,
  ) {
    this.heads = heads;
    this.entries = entries;
    this.slots = slots;
    this.data = pool.take(4 * sentences * heads * slots * entries);
  }

  /** Puts the blocks of the heads further apart. */
  resize(sentences: number, slots: number): void {
    const [before, after] = [this.slots * this.entries, slots * this.entries];
    const blocks = sentences * this.heads;
    if (blocks * after > this.data.length) {
      const longer = this.pool.take(2 * blocks * after);
      longer.set(this.data.subarray(0, blocks * before));
      this.pool.give(this.data);
      this.data = longer;
    }
    for (let block = blocks - 1; block > 0; block--) {
      this.data.copyWithin(block * after, block * before, (block + 1) * before);
    }
    this.slots = slots;
  }

  release(): void {
    this.pool.give(this.data);
    this.data = new Float32Array(0);
  }

  keep(places: readonly number[]): void {
    keepBlocks(this.data, this.heads * this.slots * this.entries, places);
  }

  /** Writes a layer's part of [sentences, L·H, W, entries] from a slot on. */
  write(own: Float32Array, { slot, layer, layers, width }: WrittenPart): void {
    const { heads, slots, entries, data } = this;
    const size = width * entries;
    const sentences = own.length / (layers * heads * size);
    for (let sentence = 0; sentence < sentences; sentence++) {
      for (let head = 0; head < heads; head++) {
        const from = ((sentence * layers + layer) * heads + head) * size;
        data.set(own.subarray(from, from + size), ((sentence * heads + head) * slots + slot) * entries);
      }
    }
  }

  /** Writes a slot of the first sentence from a place on in a row of heads; returns how many numbers those are. */
  writeRow(row: Float32Array, from: number, slot: number): number {
    const { heads, slots, entries, data } = this;
    for (let head = 0; head < heads; head++) {
      const start = from + head * entries;
      data.set(row.subarray(start, start + entries), (head * slots + slot) * entries);
    }
    return heads * entries;
  }

  asValues(sentences: number): Values {
    const { heads, slots, entries } = this;
    const shape = [sentences, heads, slots, entries];
    return { shape, data: this.data.subarray(0, sentences * heads * slots * entries) };
  }
}

interface WrittenPart {
  readonly slot: number;
  readonly layer: number;
  readonly layers: number;
  readonly width: number;
}

/** Moves some of equal blocks to the front, ascending. */
export function keepBlocks(data: Float32Array, size: number, places: readonly number[]): void {
  for (const [i, place] of places.entries()) {
    if (place !== i) data.copyWithin(i * size, place * size, (place + 1) * size);
  }
}
