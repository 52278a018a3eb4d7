// Spans of a text.

/** Character offsets; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How many characters two spans share. */
export function overlap(a: Span, b: Span): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

/** The spans of a row that share characters with `span`. @param row in order, without overlaps */
export function overlapping<T extends Span>(row: readonly T[], span: Span): T[] {
  let [low, high] = [0, row.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row[middle].end <= span.start) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < row.length && row[end].start < span.end) end++;
  return row.slice(low, end);
}
