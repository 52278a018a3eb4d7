import { describe, expect, it } from 'vitest';
import { colourOf, css, divergingScale, headColours, inkOn, luminance, type Rgb, sequentialScale } from './colour.ts';

const appearances = ['light', 'dark'] as const;

function contrast(a: Rgb, b: Rgb): number {
  const [bright, dim] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (bright + 0.05) / (dim + 0.05);
}

/** L* of CIELAB: how light a colour looks, 0 to 100. */
function lightness(colour: Rgb): number {
  const y = luminance(colour);
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}

describe('scales', () => {
  it('move in even steps of lightness, away from the background', () => {
    for (const appearance of appearances) {
      const levels = sequentialScale(appearance).map(lightness);
      const direction = appearance === 'light' ? -1 : 1;
      for (let i = 16; i < levels.length; i += 16) {
        const step = direction * (levels[i] - levels[i - 16]);
        expect(step).toBeGreaterThan(2.5);
        expect(step).toBeLessThan(7.5);
      }
    }
  });

  it('begin near the page and end far from it', () => {
    const page: Record<string, Rgb> = { light: [255, 255, 255], dark: [18, 18, 24] };
    for (const appearance of appearances) {
      const scale = sequentialScale(appearance);
      expect(contrast(scale[0], page[appearance])).toBeLessThan(1.2);
      expect(contrast(scale[255], page[appearance])).toBeGreaterThan(10);
    }
  });

  it('diverge evenly from the middle', () => {
    for (const appearance of appearances) {
      const scale = divergingScale(appearance);
      for (const distance of [40, 80, 127]) {
        expect(lightness(scale[127 - distance])).toBeCloseTo(lightness(scale[128 + distance]), -1);
        expect(scale[127 - distance]).not.toEqual(scale[128 + distance]);
      }
    }
  });

  it('give what lies outside the colour of the nearer end', () => {
    const scale = sequentialScale('light');
    expect(colourOf(scale, -3, [0, 1])).toBe(scale[0]);
    expect(colourOf(scale, 7, [0, 1])).toBe(scale[255]);
    expect(colourOf(scale, 5, [5, 5])).toBe(scale[0]);
  });
});

describe('inkOn', () => {
  it('reads on every colour of every scale', () => {
    const inks = { '#000': [0, 0, 0], '#fff': [255, 255, 255] } as const;
    for (const appearance of appearances) {
      for (const colour of [...sequentialScale(appearance), ...divergingScale(appearance)]) {
        expect(contrast(colour, inks[inkOn(colour)])).toBeGreaterThanOrEqual(4.5);
      }
    }
  });
});

describe('headColours', () => {
  it('are distinct and stand out from the page', () => {
    for (const heads of [1, 4, 8, 16]) {
      const light = headColours(heads, 'light');
      expect(new Set(light.map((colour) => css(colour))).size).toBe(heads);
      for (const colour of light) expect(contrast(colour, [255, 255, 255])).toBeGreaterThan(3);
      for (const colour of headColours(heads, 'dark')) expect(contrast(colour, [18, 18, 24])).toBeGreaterThan(3);
    }
  });
});
