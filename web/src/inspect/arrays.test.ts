import { describe, expect, it } from 'vitest';
import { numbersOf, rowsOf } from './arrays.ts';

const values = [0.5, -1, 2, 3, 4, 5, 6, 7];

describe('numbersOf', () => {
  it('reads numbers and base64 alike, once', () => {
    const base64 = Buffer.from(Float32Array.from(values).buffer).toString('base64');
    const encoded = { shape: [2, 2, 2], values: base64 };
    expect([...numbersOf(encoded)]).toEqual(values);
    expect(numbersOf(encoded)).toBe(numbersOf(encoded));
    expect([...numbersOf({ shape: [8], values })]).toEqual(values);
  });
});

describe('rowsOf', () => {
  it('gives the rows of a matrix, or of one head', () => {
    expect(rowsOf({ shape: [4, 2], values }).map((row) => [...row])).toEqual([
      [0.5, -1],
      [2, 3],
      [4, 5],
      [6, 7],
    ]);
    expect(rowsOf({ shape: [2, 2, 2], values }, 1).map((row) => [...row])).toEqual([
      [4, 5],
      [6, 7],
    ]);
  });
});
