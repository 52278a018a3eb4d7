import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrayValues } from './format.ts';
import { traceArray } from './tensors.ts';

const values = (data: Float32Array) => ({ shape: [data.length], data });

describe('arrays of a trace', () => {
  it('are exact as base64, whatever their bits', () => {
    fc.assert(
      fc.property(fc.float32Array({ noNaN: true }), (data) => {
        expect(arrayValues(JSON.parse(JSON.stringify(traceArray(values(data), 'base64'))))).toEqual(data);
      }),
    );
  });

  it('are base64 of little-endian float32, a byte after the other', () => {
    expect(traceArray(values(Float32Array.of(1)), 'base64')).toEqual({ shape: [1], values: 'AACAPw==' });
  });

  it('may be long, and a part of a longer array', () => {
    const data = Float32Array.from({ length: 30_000 }, (_, i) => Math.sin(i));
    expect(arrayValues(traceArray(values(data.subarray(7)), 'base64'))).toEqual(data.subarray(7));
  });

  it('have 7 significant digits as numbers', () => {
    const data = Float32Array.of(1 / 3, -1e9, 1e-12, 0);
    expect(traceArray(values(data), 'numbers').values).toEqual([0.3333333, -1e9, 1e-12, 0]);
    fc.assert(
      fc.property(fc.float32Array({ noNaN: true, noDefaultInfinity: true }), (data) => {
        const read = arrayValues(traceArray(values(data), 'numbers'));
        for (const [i, value] of data.entries())
          expect(Math.abs(read[i] - value)).toBeLessThanOrEqual(6e-7 * Math.abs(value) + 1e-44);
      }),
    );
  });
});
