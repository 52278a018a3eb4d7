// The line view: a line from each query token to each key token, with a colour for each head, as opaque as its weight.

export interface Line {
  readonly head: number;
  readonly row: number;
  readonly column: number;
  readonly weight: number;
}

/** One head's weights, [rows][columns]. */
export interface HeadWeights {
  readonly head: number;
  readonly values: readonly ArrayLike<number>[];
}

export interface LineOptions {
  /** Only the lines of this query token; default: all tokens. */
  readonly row?: number | undefined;
  /** Smaller weights would be invisible and are not drawn; default 0.01. */
  readonly least?: number;
  /** At most this many lines, the strongest ones, so that drawing stays fast; default 3000. */
  readonly limit?: number;
}

/** The lines to draw, weak ones first, so that strong ones are on top. */
export function linesOf(heads: readonly HeadWeights[], { row, least = 0.01, limit = 3000 }: LineOptions = {}): Line[] {
  const shown = row === undefined ? heads : heads.map(({ head, values }) => ({ head, values: [values[row]] }));
  const threshold = Math.max(least, thresholdFor(shown, limit));
  const lines: Line[] = [];
  for (const { head, values } of shown) {
    for (const [i, weights] of values.entries()) {
      for (let column = 0; column < weights.length; column++) {
        const weight = weights[column];
        if (weight >= threshold) lines.push({ head, row: row ?? i, column, weight });
      }
    }
  }
  return lines.sort((a, b) => a.weight - b.weight).slice(-limit);
}

/** A weight that at least `limit` weights reach, or 0; found by counting, since sorting them all is slow. */
function thresholdFor(heads: readonly HeadWeights[], limit: number): number {
  const counts = new Uint32Array(bins + 1);
  for (const { values } of heads) {
    for (const weights of values) {
      for (let column = 0; column < weights.length; column++) counts[Math.floor(weights[column] * bins)]++;
    }
  }
  let bin = bins;
  for (let count = 0; bin > 0; bin--) {
    count += counts[bin];
    if (count >= limit) break;
  }
  return bin / bins;
}

const bins = 1024;

/** Positions of the tokens: in two columns, or as in the paper in two rows, queries above. */
export type Orientation = 'columns' | 'rows';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface LineSpace {
  readonly orientation: Orientation;
  /** From one token to the next, in pixels. */
  readonly step: number;
  /** From the queries to the keys, in pixels. */
  readonly gap: number;
  /** Heads whose lines end side by side, so that none hides another; default: all end in the middle of a token. */
  readonly spread?: readonly number[] | undefined;
}

/** Both ends of a line; the origin is the corner before the first query token. */
export function endsOf(line: Line, { orientation, step, gap, spread = [] }: LineSpace): readonly [Point, Point] {
  const [from, to] = [(line.row + 0.5) * step, (line.column + placeWithin(line.head, spread)) * step];
  return orientation === 'columns'
    ? [
        { x: 0, y: from },
        { x: gap, y: to },
      ]
    : [
        { x: from, y: 0 },
        { x: to, y: gap },
      ];
}

/** Where within a token, from 0 to 1, the line of a head ends. */
function placeWithin(head: number, spread: readonly number[]): number {
  const place = spread.indexOf(head);
  return place === -1 ? 0.5 : (place + 0.5) / spread.length;
}

/** Pixels: lines of an isolated word can be bolder, since there are few. */
export function thicknessOf(weight: number, { isIsolated }: { readonly isIsolated: boolean }): number {
  return isIsolated ? 1 + 3 * weight : 0.75 + 1.5 * weight;
}

/** Lines of one head and similar weight, which are stroked together: [head][level] with `levels` steps of opacity. */
export function byStroke(lines: readonly Line[], levels: number): { head: number; opacity: number; lines: Line[] }[] {
  const groups = new Map<number, { head: number; opacity: number; lines: Line[] }>();
  for (const line of lines) {
    const level = Math.min(levels, Math.ceil(line.weight * levels));
    const key = level * 1000 + line.head;
    const group = groups.get(key) ?? { head: line.head, opacity: level / levels, lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  }
  return [...groups.entries()].sort(([a], [b]) => a - b).map(([, group]) => group);
}
