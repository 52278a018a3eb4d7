// Shapes with named dimensions. A number is known when the graph is built; a name (`batch`, `source`) is bound by the
// inputs of each run. Two dimensions fit when they are the same number or the same name.

export type Dim = number | string;
export type Shape = readonly Dim[];

/** `[batch, source, 512]` */
export function formatShape(shape: Shape): string {
  return `[${shape.join(', ')}]`;
}

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((dim, axis) => dim === b[axis]);
}

/** The shape of an elementwise result: aligned at the right, dimensions of 1 are broadcast. Undefined if they do not fit. */
export function broadcastShapes(a: Shape, b: Shape): Shape | undefined {
  const rank = Math.max(a.length, b.length);
  const result: Dim[] = [];
  for (let axis = 0; axis < rank; axis++) {
    const x = a[axis - rank + a.length] ?? 1;
    const y = b[axis - rank + b.length] ?? 1;
    if (x !== y && x !== 1 && y !== 1) return undefined;
    result.push(x === 1 ? y : x);
  }
  return result;
}

/** Axes of `large` along which `small` is broadcast; `[batch, time, d]` and `[d]` give [0, 1]. */
export function stretchedAxes(small: Shape, large: Shape): number[] {
  const missing = large.length - small.length;
  return large.flatMap((dim, axis) => (axis < missing || (small[axis - missing] === 1 && dim !== 1) ? [axis] : []));
}

/** The axis counted from the front; -1 is the last. */
export function positiveAxis(axis: number, rank: number): number {
  return axis < 0 ? axis + rank : axis;
}

/** The product of dimensions, as a number if all are known, else as a name: `batch*source`. */
export function productOf(dims: Shape): Dim {
  const known = dims.filter((dim) => typeof dim === 'number').reduce((product, dim) => product * dim, 1);
  const names = dims.filter((dim) => typeof dim === 'string');
  if (names.length === 0) return known;
  return (known === 1 ? names : [known, ...names]).join('*');
}

/** The sum of dimensions, as a number if all are known, else as a name: `past+target`. */
export function sumOf(dims: Shape): Dim {
  const known = dims.filter((dim) => typeof dim === 'number').reduce((sum, dim) => sum + dim, 0);
  const names = dims.filter((dim) => typeof dim === 'string');
  if (names.length === 0) return known;
  return (known === 0 ? names : [...names, known]).join('+');
}

/** A dimension minus a number: `past+4` less 4 is `past`. */
export function differenceOf(dim: Dim, less: number): Dim {
  if (typeof dim === 'number') return dim - less;
  const parts = dim.split('+').map((part) => Number(part) || part);
  return sumOf([...parts, -less]);
}
