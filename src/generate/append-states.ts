// The states of kind `append`: keys and values of every hypothesis and step (the KV cache). Each step adds W slots to a sentence,
// one per hypothesis, and a list of slots is kept for each hypothesis: its history. So re-ordering beams copies no keys. The slot
// is the outermost axis, so that a step is appended at the end.

import type { StateSpec } from '../nn/index.ts';
import type { Values } from '../runtime/index.ts';
import type { ArrayPool } from './array-pool.ts';
import { keepBlocks } from './blocks.ts';
import { appendGroups, restOf } from './state-layout.ts';

/** The initial capacity in slots; a full buffer is replaced by one of twice the size needed. */
const FIRST_SLOTS = 16;

export interface StoreSize {
  readonly sentences: number;
  /** W, hypotheses per sentence. */
  readonly width: number;
}

export class AppendStates {
  /** The buffers of each group's states; the new rows of a group come as one result with its name. */
  private readonly groups: readonly { readonly name: string; readonly arrays: readonly SlotArray[] }[];
  private readonly arrays: ReadonlyMap<string, SlotArray>;
  /** The slots of each row's history, [rows, steps]. */
  private history = new Int32Array(0);
  private steps = 0;
  /** Slots per sentence. */
  private slots = 0;
  private sentences: number;
  private readonly width: number;

  constructor(specs: readonly StateSpec[], { sentences, width }: StoreSize, pool: ArrayPool) {
    this.sentences = sentences;
    this.width = width;
    const appended = specs.filter(({ kind }) => kind === 'append');
    const arrays = new Map(appended.map((spec) => [spec.name, new SlotArray(sentences, restOf(spec), pool)]));
    this.arrays = arrays;
    this.groups = appendGroups(specs).map(({ name, specs: members }) => ({
      name,
      arrays: members.flatMap((spec) => arrays.get(spec.name) ?? []),
    }));
  }

  /** Stored steps per row. */
  get length(): number {
    return this.steps;
  }

  /** Keeps some of the sentences. @param places their indices among the present ones, ascending */
  retain(places: readonly number[]): void {
    for (const array of this.arrays.values()) array.retain(places);
    this.sentences = places.length;
  }

  /** Sets the rows of the next step. @param parents for each, the row of the last step that it continues */
  reorder(parents: Int32Array): void {
    const { steps, width, slots } = this;
    const before = steps - 1;
    const next = new Int32Array(parents.length * steps);
    parents.forEach((parent, row) => {
      next.set(this.history.subarray(parent * before, (parent + 1) * before), row * steps);
      next[row * steps + before] = slots - width + (parent % width);
    });
    this.history = next;
  }

  /** Appends a step: for each group by name, the new rows of its L states [L·W, sentences, row size]. */
  append(results: Readonly<Record<string, Values>>): void {
    for (const { name, arrays } of this.groups) {
      const rows = results[name].data as Float32Array;
      const size = rows.length / arrays.length;
      for (const [i, array] of arrays.entries()) array.append(rows.subarray(i * size, (i + 1) * size));
    }
    this.slots += this.width;
    this.steps++;
  }

  /** By name: [slots, sentences, …] */
  get feeds(): [string, Values][] {
    return [...this.arrays].map(([name, array]) => [name, array.values]);
  }

  /** The positions of all slots and of the next step's W, [slots + W]. */
  get keyPositions(): Values {
    const { width, slots } = this;
    const data = Int32Array.from({ length: slots + width }, (_, slot) => Math.floor(slot / width));
    return { shape: [data.length], data };
  }

  /** The attention mask [sentences, 1, W, slots + W]: 1 for slots of the row's history and for its own. */
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

  /** Returns the buffers to the pool; the states must not be used afterwards. */
  release(): void {
    for (const array of this.arrays.values()) array.release();
  }
}

/** [slots, sentences, …rest] of one state, in a buffer that may be longer. */
class SlotArray {
  /** Numbers of the buffer that are in use. */
  private length = 0;
  private data: Float32Array;
  /** Numbers per sentence and slot. */
  private readonly rowSize: number;

  constructor(
    private sentences: number,
    private readonly rest: readonly number[],
    private readonly pool: ArrayPool,
  ) {
    this.rowSize = rest.reduce((product, dim) => product * dim, 1);
    this.data = pool.take(FIRST_SLOTS * this.slotSize);
  }

  private get slotSize(): number {
    return this.sentences * this.rowSize;
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

  retain(places: readonly number[]): void {
    const slots = this.length / this.slotSize;
    keepBlocks(this.data, places, { size: this.rowSize, blocks: this.sentences, times: slots });
    this.sentences = places.length;
    this.length = slots * this.slotSize;
  }

  release(): void {
    this.pool.give(this.data);
    this.data = new Float32Array(0);
  }

  get values(): Values {
    return {
      shape: [this.length / this.slotSize, this.sentences, ...this.rest],
      data: this.data.subarray(0, this.length),
    };
  }
}
