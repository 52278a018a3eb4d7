// A picture as a list of shapes, which is painted on a canvas or written as SVG, so that exports equal the screen.

export interface Rectangle {
  readonly kind: 'rectangle';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
  readonly opacity?: number;
  /** The tooltip, in SVG. */
  readonly title?: string;
}

export interface Segment {
  readonly kind: 'segment';
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly stroke: string;
  readonly opacity?: number;
  readonly width?: number;
}

export interface Label {
  readonly kind: 'label';
  readonly x: number;
  /** The middle of the text's height. */
  readonly y: number;
  readonly text: string;
  readonly fill: string;
  readonly size: number;
  /** Which part of the text is at x; default start. */
  readonly anchor?: 'start' | 'middle' | 'end';
  /** Degrees, clockwise, about (x, y). */
  readonly turn?: number;
}

/** Shapes that can be shown and hidden together, by their class in SVG. */
interface Group {
  readonly kind: 'group';
  readonly name: string;
  readonly shapes: readonly Shape[];
}

export type Shape = Rectangle | Segment | Label | Group;

export interface Figure {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  /** A description of the picture for screen readers. */
  readonly title: string;
  readonly shapes: readonly Shape[];
}

export const fontFamily = 'system-ui, "Noto Sans", "Noto Sans CJK SC", "PingFang SC", sans-serif';

/** An estimate of the width of a text in pixels: East Asian wide characters count 1 em, others 0.6 em. */
export function textWidth(text: string, size: number): number {
  let widths = 0;
  for (const character of text) {
    if (!/\p{M}/u.test(character))
      widths += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\uffe6]/.test(character) ? 1 : 0.6;
  }
  return widths * size;
}
