// The lines on a canvas and, beside the keys, a strip that shows how much weight each head gives each word.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { css, type Rgb } from '../drawing/colour.ts';
import { byStroke, endsOf, type Line, type LineSpace, thicknessOf } from './lines.ts';

interface LineCanvasProps {
  readonly lines: readonly Line[];
  readonly space: LineSpace;
  /** Tokens of the longer side. */
  readonly length: number;
  readonly colours: readonly Rgb[];
}

/** Steps of opacity: more could not be distinguished. */
const opacityLevels = 24;

/** Pixels of a head in the strip. */
const stripCell = 7;

export function LineCanvas({ lines, space, length, colours }: LineCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const strip = space.spread ?? [];
  const depth = space.gap + strip.length * stripCell;
  const along = length * space.step;
  const [width, height] = space.orientation === 'columns' ? [depth, along] : [along, depth];
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    const density = sharpness(width, height);
    canvas.current.width = width * density;
    canvas.current.height = height * density;
    context.scale(density, density);
    drawLines(context, lines, space, colours);
    drawStrip(context, lines, space, colours);
  });
  return <canvas ref={canvas} style={{ width: `${width}px`, height: `${height}px` }} />;
}

function drawLines(
  context: CanvasRenderingContext2D,
  lines: readonly Line[],
  space: LineSpace,
  colours: readonly Rgb[],
): void {
  for (const { head, opacity, lines: equal } of byStroke(lines, opacityLevels)) {
    context.globalAlpha = opacity;
    context.strokeStyle = css(colours[head]);
    context.lineWidth = thicknessOf(opacity, { isIsolated: space.spread !== undefined });
    for (const line of equal) {
      const [from, to] = endsOf(line, space);
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
    }
  }
}

function drawStrip(
  context: CanvasRenderingContext2D,
  lines: readonly Line[],
  { orientation, step, gap, spread = [] }: LineSpace,
  colours: readonly Rgb[],
): void {
  for (const { head, column, weight } of lines) {
    const place = spread.indexOf(head);
    if (place === -1) continue;
    context.globalAlpha = weight;
    context.fillStyle = css(colours[head]);
    const [across, along] = [gap + place * stripCell, column * step + 1];
    if (orientation === 'columns') context.fillRect(across, along, stripCell, step - 2);
    else context.fillRect(along, across, step - 2, stripCell);
  }
}

/** Canvas pixels for each CSS pixel, within the largest size of a canvas. */
function sharpness(width: number, height: number): number {
  return Math.min(devicePixelRatio, 8192 / Math.max(width, height));
}
