import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Heap } from './heap.ts';

it('returns items in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (values) => {
      const heap = new Heap<number>((a, b) => a < b);
      for (const value of values) heap.push(value);
      const popped = values.map(() => heap.pop());
      expect(popped).toEqual([...values].sort((a, b) => a - b));
      expect(heap.pop()).toBeUndefined();
    }),
  );
});

it('keeps the order when pushes and pops alternate', () => {
  const heap = new Heap<number>((a, b) => a > b);
  for (const value of [3, 9, 4]) heap.push(value);
  expect(heap.pop()).toBe(9);
  heap.push(7);
  heap.push(1);
  expect([heap.pop(), heap.pop(), heap.pop(), heap.pop(), heap.pop()]).toEqual([7, 4, 3, 1, undefined]);
});
