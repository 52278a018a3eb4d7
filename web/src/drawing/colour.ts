// Colours of numbers and of heads, computed in OKLCH (Ottosson 2020), which is perceptually uniform. Every scale has
// two themes: small numbers are close to the background and large ones stand out from it, on white and on black.

export type Appearance = 'light' | 'dark';

/** Red, green and blue, each from 0 to 255. */
export type Rgb = readonly [number, number, number];

interface Oklch {
  /** 0 black … 1 white */
  readonly lightness: number;
  /** 0 grey … about 0.3 */
  readonly chroma: number;
  /** Degrees */
  readonly hue: number;
}

/** Colours of a scale's steps, 0 first. */
export type Scale = readonly Rgb[];

const steps = 256;

const sequentialEnds: Record<Appearance, readonly [Oklch, Oklch]> = {
  light: [
    { lightness: 1, chroma: 0, hue: 225 },
    { lightness: 0.28, chroma: 0.13, hue: 275 },
  ],
  dark: [
    { lightness: 0.24, chroma: 0.01, hue: 280 },
    { lightness: 0.95, chroma: 0.12, hue: 100 },
  ],
};

/** Weights from 0 to 1: lightness and hue move evenly, and colours are strongest in the middle. */
export function sequentialScale(appearance: Appearance): Scale {
  const [from, to] = sequentialEnds[appearance];
  return Array.from({ length: steps }, (_, i) => {
    const t = i / (steps - 1);
    const swell = 0.07 * Math.sin(Math.PI * t);
    return toRgb({
      lightness: mix(from.lightness, to.lightness, t),
      chroma: mix(from.chroma, to.chroma, t) + swell,
      hue: mix(from.hue, to.hue, t),
    });
  });
}

/** Numbers from −1 (orange) through 0 (the background) to 1 (blue); lightness alone shows the distance from 0. */
export function divergingScale(appearance: Appearance): Scale {
  const [middle, end] = appearance === 'light' ? [1, 0.46] : [0.24, 0.84];
  return Array.from({ length: steps }, (_, i) => {
    const t = (2 * i) / (steps - 1) - 1;
    const distance = Math.abs(t);
    return toRgb({ lightness: mix(middle, end, distance), chroma: 0.16 * distance, hue: t < 0 ? 55 : 255 });
  });
}

/** The colour of a value in [low, high]; values outside have the colour of the nearer end. */
export function colourOf(scale: Scale, value: number, [low, high]: readonly [number, number]): Rgb {
  const t = high > low ? (value - low) / (high - low) : 0;
  return scale[Math.round(Math.min(1, Math.max(0, t)) * (scale.length - 1))];
}

/** Black or white, whichever has more contrast with a colour (WCAG 2). */
export function inkOn(colour: Rgb): '#000' | '#fff' {
  return luminance(colour) > 0.179 ? '#000' : '#fff';
}

/** A colour for each head: evenly spaced hues of similar lightness. */
export function headColours(heads: number, appearance: Appearance): Rgb[] {
  const [lightness, chroma] = appearance === 'light' ? [0.56, 0.17] : [0.78, 0.14];
  return Array.from({ length: heads }, (_, head) =>
    // Neighbours differ a little in lightness, for colour-blind users.
    toRgb({ lightness: lightness + (head % 2 === 0 ? 0.05 : -0.05), chroma, hue: 25 + (360 * head) / heads }),
  );
}

export function css([red, green, blue]: Rgb, alpha = 1): string {
  return alpha === 1 ? `rgb(${red},${green},${blue})` : `rgba(${red},${green},${blue},${Number(alpha.toFixed(3))})`;
}

/** Relative luminance of WCAG 2, 0 to 1. */
export function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(from: number, to: number, t: number): number {
  return from + (to - from) * t;
}

/** The nearest displayable colour, found by reducing chroma until it is in gamut. */
function toRgb({ lightness, chroma, hue }: Oklch): Rgb {
  for (let fitting = chroma; fitting > 0; fitting -= 0.005) {
    const linear = toLinear({ lightness, chroma: fitting, hue });
    if (linear.every((channel) => channel >= -0.0005 && channel <= 1.0005)) return encoded(linear);
  }
  return encoded(toLinear({ lightness, chroma: 0, hue }));
}

/** OKLCH → linear sRGB, with Ottosson's matrices. */
function toLinear({ lightness, chroma, hue }: Oklch): Rgb {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

function encoded(linear: Rgb): Rgb {
  const [red, green, blue] = linear.map((channel) => {
    const value = Math.min(1, Math.max(0, channel));
    return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
  });
  return [red, green, blue];
}
