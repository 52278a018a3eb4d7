import { describe, expect, it } from 'vitest';
import { ArrayPool } from './array-pool.ts';

describe('ArrayPool', () => {
  it('reuses a returned array for requests that it is large enough for', () => {
    const pool = new ArrayPool();
    const first = pool.take(10);
    expect(pool.take(10)).not.toBe(first);
    pool.give(first);
    expect(pool.take(11)).not.toBe(first);
    expect(pool.take(4)).toBe(first);
    expect(pool.take(4)).not.toBe(first);
  });

  it('keeps no more than 64 MB', () => {
    const pool = new ArrayPool();
    const arrays = [1, 2, 3].map(() => pool.take(6_000_000));
    for (const array of arrays) pool.give(array);
    expect([1, 2, 3].map(() => arrays.indexOf(pool.take(6_000_000)))).toEqual([0, 1, -1]);
  });
});
