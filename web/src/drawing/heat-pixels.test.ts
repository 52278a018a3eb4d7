import { describe, expect, it } from 'vitest';
import { sequentialScale } from './colour.ts';
import { heatPixels, symmetricRange } from './heat-pixels.ts';

describe('heatPixels', () => {
  it('makes one pixel for each number, row by row', () => {
    const scale = sequentialScale('light');
    const pixels = heatPixels(
      [
        [0, 1],
        [1, 0],
        [0, 0],
      ],
      { scale, range: [0, 1] },
    );
    expect(pixels).toHaveLength(3 * 2 * 4);
    expect([...pixels.slice(4, 8)]).toEqual([...scale[255], 255]);
    expect([...pixels.slice(12, 16)]).toEqual([...scale[0], 255]);
  });

  it('makes masked cells transparent', () => {
    const pixels = heatPixels([[Number.NaN, 1]], { scale: sequentialScale('light'), range: [0, 1] });
    expect([pixels[3], pixels[7]]).toEqual([0, 255]);
  });

  it('accepts an empty matrix', () => {
    expect(heatPixels([], { scale: sequentialScale('dark'), range: [0, 1] })).toHaveLength(0);
  });
});

it('symmetricRange is symmetric about 0', () => {
  expect(
    symmetricRange([
      [0.5, -2, Number.NaN],
      [1, 1],
    ]),
  ).toEqual([-2, 2]);
});
