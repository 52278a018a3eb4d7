import { describe, expect, it } from 'vitest';
import { cellAt, moved } from './cell-cursor.ts';

const extent = { rows: 3, columns: 4 };
const press = (key: string, ctrlKey = false) => ({ key, ctrlKey });

describe('moved', () => {
  it('goes cell by cell and stops at the edges', () => {
    expect(moved({ row: 1, column: 1 }, press('ArrowRight'), extent)).toEqual({ row: 1, column: 2 });
    expect(moved({ row: 0, column: 3 }, press('ArrowRight'), extent)).toEqual({ row: 0, column: 3 });
    expect(moved({ row: 0, column: 0 }, press('ArrowUp'), extent)).toEqual({ row: 0, column: 0 });
    expect(moved({ row: 2, column: 0 }, press('ArrowLeft'), extent)).toEqual({ row: 2, column: 0 });
  });

  it('begins at the first cell', () => {
    for (const key of ['ArrowRight', 'ArrowDown', 'Home']) {
      expect(moved(undefined, press(key), extent)).toEqual({ row: 0, column: 0 });
    }
  });

  it('goes to the ends of a row, and to the corners', () => {
    expect(moved({ row: 1, column: 2 }, press('End'), extent)).toEqual({ row: 1, column: 3 });
    expect(moved({ row: 1, column: 2 }, press('End', true), extent)).toEqual({ row: 2, column: 3 });
    expect(moved({ row: 1, column: 2 }, press('Home', true), extent)).toEqual({ row: 0, column: 0 });
  });

  it('leaves other keys alone', () => {
    expect(moved({ row: 1, column: 2 }, press('Tab'), extent)).toBeUndefined();
  });
});

describe('cellAt', () => {
  const box = { left: 10, top: 20, width: 40, height: 30 };

  it('finds the cell under a point', () => {
    expect(cellAt({ x: 10, y: 20 }, box, extent)).toEqual({ row: 0, column: 0 });
    expect(cellAt({ x: 49, y: 49 }, box, extent)).toEqual({ row: 2, column: 3 });
  });

  it('finds none outside', () => {
    expect(cellAt({ x: 9, y: 25 }, box, extent)).toBeUndefined();
    expect(cellAt({ x: 50, y: 25 }, box, extent)).toBeUndefined();
  });
});
