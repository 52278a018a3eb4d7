// Millions of short lists of whole numbers in two typed arrays: a JavaScript array each would take ten times the memory.

/** A list, named by its last entry; `emptyList` or what `add` returned. */
export type NumberList = number;
export const emptyList: NumberList = -1;

/** Linked lists that grow at the end and are released as a whole. */
export class NumberLists {
  private values: Int32Array = new Int32Array(1024);
  private previous: Int32Array = new Int32Array(1024);
  private used = 0;
  /** Released entries, linked through `previous`. */
  private free: NumberList = emptyList;

  /** The list with `value` added, unless its last value is just that. */
  add(list: NumberList, value: number): NumberList {
    if (list !== emptyList && this.values[list] === value) return list;
    const entry = this.newEntry();
    this.values[entry] = value;
    this.previous[entry] = list;
    return entry;
  }

  /** Empties a list and gives its values, the last one first. */
  *take(list: NumberList): Generator<number> {
    for (let entry = list; entry !== emptyList; ) {
      yield this.values[entry];
      entry = this.release(entry);
    }
  }

  clear(list: NumberList): void {
    for (let entry = list; entry !== emptyList; ) entry = this.release(entry);
  }

  /** Releases one entry; returns the one before it in its list. */
  private release(entry: number): number {
    const before = this.previous[entry];
    this.previous[entry] = this.free;
    this.free = entry;
    return before;
  }

  private newEntry(): number {
    if (this.free !== emptyList) {
      const entry = this.free;
      this.free = this.previous[entry];
      return entry;
    }
    if (this.used === this.values.length) {
      this.values = doubled(this.values);
      this.previous = doubled(this.previous);
    }
    return this.used++;
  }
}

function doubled(array: Int32Array): Int32Array {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
