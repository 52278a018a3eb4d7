// The figures that are saved: the heat map of one head, or the lines of several, with their words.

import { colourOf, css, type Rgb, type Scale } from '../drawing/colour.ts';
import { type Figure, type Label, type Shape, textWidth } from '../drawing/figure.ts';
import {
  endsOf,
  type HeadWeights,
  type Line,
  type LineSpace,
  linesOf,
  type Orientation,
  thicknessOf,
} from './lines.ts';
import type { WeightMatrix } from './weights.ts';

/** The colours of a page. */
export interface Inks {
  readonly paper: string;
  readonly ink: string;
  readonly weights: Scale;
  /** The weight of the strongest colour. */
  readonly strongest: number;
  /** One for each head. */
  readonly heads: readonly Rgb[];
}

const textSize = 13;
const padding = 12;

/** Rows are queries, columns are keys; each cell of the SVG has a tooltip that says so. */
export function heatMapFigure({ rows, columns, values }: WeightMatrix, title: string, inks: Inks): Figure {
  const cell = columns.length > 60 ? 14 : 24;
  const size = Math.min(textSize, cell);
  const left = padding + widest(rows, size) + 6;
  const top = padding + widest(columns, size) + 6;
  const text = { fill: inks.ink, size };
  const shapes: Shape[] = [
    ...columns.map(
      (label, j): Label => ({ kind: 'label', x: left + (j + 0.5) * cell, y: top - 6, text: label, turn: -90, ...text }),
    ),
    ...rows.map(
      (label, i): Label => ({
        kind: 'label',
        x: left - 6,
        y: top + (i + 0.5) * cell,
        text: label,
        anchor: 'end',
        ...text,
      }),
    ),
  ];
  for (const [i, row] of rows.entries()) {
    for (const [j, column] of columns.entries()) {
      const place = { x: left + j * cell, y: top + i * cell, width: cell - 1, height: cell - 1 };
      const weight = values[i][j];
      const fill = css(colourOf(inks.weights, weight, [0, inks.strongest]));
      shapes.push({ kind: 'rectangle', ...place, fill, title: `${row} → ${column}: ${weight.toFixed(4)}` });
    }
  }
  const [width, height] = [left + columns.length * cell + padding, top + rows.length * cell + padding];
  return { width, height, background: inks.paper, title, shapes };
}

export interface LineFigureOptions {
  readonly orientation: Orientation;
  /** Only this row's lines. */
  readonly row: number | undefined;
  readonly title: string;
}

/** Each head's lines are a group `head-1`, `head-2`, …, which a page may hide. */
export function lineFigure(
  { rows, columns, heads }: Omit<WeightMatrix, 'values'> & { readonly heads: readonly HeadWeights[] },
  { orientation, row, title }: LineFigureOptions,
  inks: Inks,
): Figure {
  const spread = row === undefined ? undefined : heads.map(({ head }) => head);
  const space: LineSpace = { orientation, step: 24, gap: 240, spread };
  const before = padding + widest(rows, textSize) + 8;
  const after = widest(columns, textSize) + 8 + padding;
  const depth = before + space.gap + after;
  const along = Math.max(rows.length, columns.length) * space.step + 2 * padding;
  const isAcross = orientation === 'columns';
  const origin = isAcross ? { x: before, y: padding } : { x: padding, y: before };
  const lines = linesOf(heads, { row, limit: 20_000 });
  const groups = heads.map(({ head }): Shape => {
    const own = lines.filter((line) => line.head === head);
    const shapes = own.map((line) => segmentOf(line, space, origin, css(inks.heads[head])));
    return { kind: 'group', name: `head-${head + 1}`, shapes };
  });
  const labels = (words: readonly string[], place: number, anchor: 'start' | 'end') =>
    words.map(
      (word, i): Shape => labelOf(word, { along: padding + (i + 0.5) * space.step, place, anchor, isAcross }, inks.ink),
    );
  return {
    width: isAcross ? depth : along,
    height: isAcross ? along : depth,
    background: inks.paper,
    title,
    shapes: [...groups, ...labels(rows, before - 8, 'end'), ...labels(columns, before + space.gap + 8, 'start')],
  };
}

function segmentOf(line: Line, space: LineSpace, origin: { x: number; y: number }, stroke: string): Shape {
  const [from, to] = endsOf(line, space);
  return {
    kind: 'segment',
    from: [origin.x + from.x, origin.y + from.y],
    to: [origin.x + to.x, origin.y + to.y],
    stroke,
    opacity: line.weight,
    width: thicknessOf(line.weight, { isIsolated: space.spread !== undefined }),
  };
}

interface LabelPlace {
  readonly along: number;
  readonly place: number;
  readonly anchor: 'start' | 'end';
  /** Words beside the lines; else above and below them, rotated. */
  readonly isAcross: boolean;
}

/** Rotated words read upwards, so that the other end of the text touches the lines. */
function labelOf(text: string, { along, place, anchor, isAcross }: LabelPlace, fill: string): Shape {
  if (isAcross) return { kind: 'label', x: place, y: along, text, fill, size: textSize, anchor };
  const turnedAnchor = anchor === 'end' ? 'start' : 'end';
  return { kind: 'label', x: along, y: place, text, fill, size: textSize, anchor: turnedAnchor, turn: -90 };
}

function widest(labels: readonly string[], size: number): number {
  return labels.reduce((most, label) => Math.max(most, textWidth(label, size)), 0);
}
