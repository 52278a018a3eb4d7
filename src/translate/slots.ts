// The cache of decoding: keys and values of every hypothesis and step. The hypotheses of a sentence share its slots, W new
// ones a step, and each knows which of them are its history. So re-ordering beams copies no keys. All sentences have their
// slots at the same time, one after the other, so that a step is added at the end.

import type { Values } from '../runtime/index.ts';
import type { ArrayPool } from './array-pool.ts';

/** Slots that there is room for at first; later always for twice as many as were needed. */
const FIRST_SLOTS = 16;

export interface CacheShape {
  readonly layers: number;
  readonly heads: number;
  readonly dKey: number;
  readonly dValue: number;
  readonly sentences: number;
  /** W, hypotheses a sentence. */
  readonly width: number;
}

/** What the rows of a step computed, layer by layer: keys [L·W, sentences, H·K] and values [L·W, sentences, H·V]. */
export interface RowsToCache {
  readonly keys: Float32Array;
  readonly values: Float32Array;
}

export class SlotCache {
  /** One for each layer. */
  private readonly keys: readonly SlotArray[];
  private readonly values: readonly SlotArray[];
  /** The slots that are each row's history, [rows, steps]. */
  private history = new Int32Array(0);
  private steps = 0;
  /** Slots of each sentence. */
  private slots = 0;
  private sentences: number;
  private readonly width: number;

  constructor({ layers, heads, dKey, dValue, sentences, width }: CacheShape, pool: ArrayPool) {
    this.sentences = sentences;
    this.width = width;
    const arrays = (size: number) =>
      Array.from({ length: layers }, () => new SlotArray([sentences, heads, size], pool));
    this.keys = arrays(dKey);
    this.values = arrays(dValue);
  }

  /** Steps cached of each row. */
  get length(): number {
    return this.steps;
  }

  /** Keeps some of the sentences, by their places among those there are, ascending. */
  keep(places: readonly number[]): void {
    for (const array of [...this.keys, ...this.values]) array.keep(places);
    this.sentences = places.length;
  }

  /** Makes the rows of the next step those that continue the given rows of the last one. */
  follow(parents: Int32Array): void {
    const { steps, width, slots } = this;
    const before = steps - 1;
    const next = new Int32Array(parents.length * steps);
    parents.forEach((parent, row) => {
      next.set(this.history.subarray(parent * before, (parent + 1) * before), row * steps);
      next[row * steps + before] = slots - width + (parent % width);
    });
    this.history = next;
  }

  append({ keys, values }: RowsToCache): void {
    appendParts(this.keys, keys);
    appendParts(this.values, values);
    this.slots += this.width;
    this.steps++;
  }

  /** Layer by layer, [slots, sentences, H, K]. */
  get pastKeys(): Values[] {
    return this.keys.map((array) => array.values);
  }

  get pastValues(): Values[] {
    return this.values.map((array) => array.values);
  }

  /** [sentences, 1, W, slots + W]: 1 where a slot is of the row's history, or the row's own. */
  get mask(): Values {
    const { sentences, width, steps, slots, history } = this;
    const length = slots + width;
    const data = new Float32Array(sentences * width * length);
    history.forEach((slot, i) => {
      data[Math.floor(i / steps) * length + slot] = 1;
    });
    for (let row = 0; row < sentences * width; row++) data[row * length + slots + (row % width)] = 1;
    return { shape: [sentences, 1, width, length], data };
  }

  /** Gives its memory back; the cache is not to be used any more. */
  release(): void {
    for (const array of [...this.keys, ...this.values]) array.release();
  }
}

function appendParts(arrays: readonly SlotArray[], own: Float32Array): void {
  const size = own.length / arrays.length;
  for (const [layer, array] of arrays.entries()) array.append(own.subarray(layer * size, (layer + 1) * size));
}

/** [slots, sentences, heads, size] of one layer, in a buffer that may be longer. */
class SlotArray {
  /** How many numbers are used of the buffer. */
  private length = 0;
  private data: Float32Array;

  constructor(
    /** [sentences, heads, size] */
    private shape: readonly [number, number, number],
    private readonly pool: ArrayPool,
  ) {
    this.data = pool.take(FIRST_SLOTS * this.slotSize);
  }

  private get slotSize(): number {
    return this.shape.reduce((product, dim) => product * dim);
  }

  append(rows: Float32Array): void {
    if (this.length + rows.length > this.data.length) this.grow(2 * (this.length + rows.length));
    this.data.set(rows, this.length);
    this.length += rows.length;
  }

  private grow(length: number): void {
    const longer = this.pool.take(length);
    longer.set(this.data.subarray(0, this.length));
    this.pool.give(this.data);
    this.data = longer;
  }

  keep(places: readonly number[]): void {
    const [sentences, heads, size] = this.shape;
    const slots = this.length / this.slotSize;
    keepBlocks(this.data, places, { size: heads * size, blocks: sentences, times: slots });
    this.shape = [places.length, heads, size];
    this.length = slots * this.slotSize;
  }

  release(): void {
    this.pool.give(this.data);
    this.data = new Float32Array(0);
  }

  get values(): Values {
    return { shape: [this.length / this.slotSize, ...this.shape], data: this.data.subarray(0, this.length) };
  }
}

export interface BlocksOptions {
  /** Numbers in a block. */
  readonly size: number;
  /** Blocks that the places are among. */
  readonly blocks: number;
  /** How often such blocks follow; the same places are kept of all. */
  readonly times: number;
}

/** Moves some of equal blocks to the front. @param places ascending */
export function keepBlocks(
  data: Float32Array,
  places: readonly number[],
  { size, blocks, times }: BlocksOptions,
): void {
  const runs = runsIn(places);
  let end = 0;
  for (let first = 0; first < times * blocks; first += blocks) {
    for (const { from, to } of runs) {
      const [start, stop] = [(first + from) * size, (first + to) * size];
      if (start !== end) data.copyWithin(end, start, stop);
      end += stop - start;
    }
  }
}

/** Neighbours together: from … to − 1. */
function runsIn(places: readonly number[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last?.to === place) last.to++;
    else runs.push({ from: place, to: place + 1 });
  }
  return runs;
}
