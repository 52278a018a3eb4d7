// Numbers as pixels, one pixel each, to be scaled to any size. 128 × 128 numbers take less than a millisecond.

import { colourOf, type Rgb, type Scale } from './colour.ts';

/** Red, green, blue and alpha of rows × columns pixels; NaN, which stands for masked cells, is transparent. */
export function heatPixels(
  values: readonly ArrayLike<number>[],
  { scale, range }: { readonly scale: Scale; readonly range: readonly [low: number, high: number] },
): Uint8ClampedArray<ArrayBuffer> {
  const columns = values[0]?.length ?? 0;
  const pixels = new Uint8ClampedArray(values.length * columns * 4);
  let at = 0;
  for (const row of values) {
    for (let column = 0; column < columns; column++) {
      const isMasked = Number.isNaN(row[column]);
      const [red, green, blue]: Rgb = colourOf(scale, isMasked ? 0 : row[column], range);
      pixels[at++] = red;
      pixels[at++] = green;
      pixels[at++] = blue;
      pixels[at++] = isMasked ? 0 : 255;
    }
  }
  return pixels;
}

/** The same range on both sides of 0, so that 0 has the colour of the middle; NaN does not count. */
export function symmetricRange(values: readonly ArrayLike<number>[]): readonly [low: number, high: number] {
  let most = 0;
  for (const row of values) {
    for (let i = 0; i < row.length; i++) if (Math.abs(row[i]) > most) most = Math.abs(row[i]);
  }
  return [-most, most];
}
