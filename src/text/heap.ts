// A binary heap, the priority queue of byte-pair encoding: both learning and encoding repeatedly take the best pair.

/** Returns its items in the order of `before`. Push and pop take O(log n). */
export class Heap<T> {
  private readonly items: T[] = [];

  /** @param before whether `a` is to leave the heap before `b` */
  constructor(private readonly before: (a: T, b: T) => boolean) {}

  push(item: T): void {
    const { items } = this;
    let at = items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.before(item, items[parent])) break;
      items[at] = items[parent];
      at = parent;
    }
    items[at] = item;
  }

  /** Removes and returns the first item; undefined if empty. */
  pop(): T | undefined {
    const { items } = this;
    const first = items[0];
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.sink(last);
    return first;
  }

  /** Puts `item` at the root and lets it sink below everything that goes before it. */
  private sink(item: T): void {
    const { items } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.before(items[child + 1], items[child])) child++;
      if (!this.before(items[child], item)) break;
      items[at] = items[child];
      at = child;
    }
    items[at] = item;
  }
}
