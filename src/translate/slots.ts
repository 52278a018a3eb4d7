// The cache of decoding: keys and values of every row and step in the order they came, appended and never moved, and
// for each living row the slots that are its history.

import type { Values } from '../runtime/index.ts';

export class SlotCache {
  /** Slots used. */
  private used = 0;
  /** First slot of the last step's rows. */
  private lastStep = 0;
  private history = new Int32Array(0);
  private positions = 0;

  constructor(
    private readonly keys: GrowingRows,
    private readonly values: GrowingRows,
  ) {}

  /** Positions cached of each row. */
  get length(): number {
    return this.positions;
  }

  /** Makes the rows of the next step those that continue the given rows of the last one. */
  follow(parents: Int32Array): void {
    const length = this.positions;
    const next = new Int32Array(parents.length * length);
    const kept = length - 1;
    parents.forEach((parent, row) => {
      next.set(this.history.subarray(parent * kept, (parent + 1) * kept), row * length);
      next[row * length + kept] = this.lastStep + parent;
    });
    this.history = next;
  }

  /** Takes the keys and values that the rows of this step computed. */
  append(keys: Float32Array, values: Float32Array, rows: number): void {
    this.keys.append(keys);
    this.values.append(values);
    this.lastStep = this.used;
    this.used += rows;
    this.positions++;
  }

  /** What the step program is fed. */
  feeds(rows: number): [string, Values][] {
    return [
      ['slotKeys', this.keys.asValues(this.used)],
      ['slotValues', this.values.asValues(this.used)],
      ['past', { shape: [rows, this.positions], data: this.history }],
    ];
  }
}

/** Rows of [heads, width] in one buffer that doubles when it is full. */
export class GrowingRows {
  private buffer: Float32Array;
  private length = 0;

  constructor(
    private readonly heads: number,
    private readonly width: number,
    initialRows: number,
  ) {
    this.buffer = new Float32Array(initialRows * heads * width);
  }

  append(rows: Float32Array): void {
    if (this.length + rows.length > this.buffer.length) {
      const grown = new Float32Array(Math.max(2 * this.buffer.length, this.length + rows.length));
      grown.set(this.buffer.subarray(0, this.length));
      this.buffer = grown;
    }
    this.buffer.set(rows, this.length);
    this.length += rows.length;
  }

  asValues(rows: number): Values {
    return { shape: [rows, this.heads, this.width], data: this.buffer.subarray(0, this.length) };
  }
}
