import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inWindows } from './windows.ts';

async function collect<T>(windows: AsyncIterable<T[]>): Promise<T[][]> {
  const all: T[][] = [];
  for await (const window of windows) all.push(window);
  return all;
}

async function* over<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

describe('inWindows', () => {
  it.each([
    ['an array', (items: number[]) => items],
    ['a stream', over],
  ])('splits %s into full windows and a rest', async (_, of) => {
    const options = { items: 2, waitMs: 1000 };
    expect(await collect(inWindows(of([1, 2, 3, 4, 5]), options))).toEqual([[1, 2], [3, 4], [5]]);
    expect(await collect(inWindows(of([1, 2]), options))).toEqual([[1, 2]]);
    expect(await collect(inWindows(of([]), options))).toEqual([]);
  });
  it('passes an error on after the windows before it', async () => {
    async function* failing() {
      yield 1;
      yield 2;
      throw new Error('damaged');
    }
    const windows = inWindows(failing(), { items: 2, waitMs: 1000 });
    expect(await windows.next()).toEqual({ done: false, value: [1, 2] });
    await expect(windows.next()).rejects.toThrow('damaged');
  });
  it('closes the stream when its reader stops', async () => {
    const closed = vi.fn();
    async function* endless() {
      try {
        for (;;) yield 1;
      } finally {
        closed();
      }
    }
    for await (const _ of inWindows(endless(), { items: 2, waitMs: 1000 })) break;
    await Promise.resolve();
    expect(closed).toHaveBeenCalledOnce();
  });

  describe('of a slow sender', () => {
    beforeEach(() => {
      vi.useFakeTimers();
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    /** One item after each of the given pauses. */
    async function* slow(...pauses: number[]) {
      for (const [i, pause] of pauses.entries()) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        yield i;
      }
    }

    it('waits at most the given time from the first item of a window', async () => {
      const windows = collect(inWindows(slow(500, 60, 60, 500, 10), { items: 10, waitMs: 100 }));
      await vi.advanceTimersByTimeAsync(2000);
      expect(await windows).toEqual([[0, 1], [2], [3, 4]]);
    });
    it('stops at once if the reader stops while waiting for input', async () => {
      const windows = inWindows(slow(10, 1e9), { items: 10, waitMs: 100 });
      const first = windows.next();
      await vi.advanceTimersByTimeAsync(200);
      expect(await first).toEqual({ done: false, value: [0] });
      expect(await windows.return(undefined)).toEqual({ done: true, value: undefined });
    });
  });
});
