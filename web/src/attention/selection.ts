// From a trace and the state of the view to the weights on the screen.

import type { Trace, TraceToken } from '../../../src/translate/index.ts';
import { rowsOf } from '../inspect/arrays.ts';
import type { AttentionState, Bounds, Kind } from './state.ts';
import { atTemperature, pickValues } from './weights.ts';

/**
 * The two sides of one kind of attention. Rows are labelled by the token read at a position, never by the one
 * predicted.
 */
interface Sides {
  readonly rows: readonly TraceToken[];
  readonly columns: readonly TraceToken[];
}

function sidesOf({ source, target }: Trace, kind: Kind): Sides {
  return {
    rows: kind === 'encoder' ? source.tokens : target.tokens,
    columns: kind === 'decoder' ? target.tokens : source.tokens,
  };
}

export function boundsOf(trace: Trace, kind: Kind): Bounds {
  return {
    layers: trace.attention[kind].length,
    heads: trace.attention[kind][0]?.shape[0] ?? 0,
    rows: sidesOf(trace, kind).rows.length,
  };
}

/** The tokens on the screen, and their indices among all. */
export interface ShownSides extends Sides {
  readonly rowIndices: readonly number[];
  readonly columnIndices: readonly number[];
}

export function shownSides(trace: Trace, kind: Kind, { showsSpecial }: { readonly showsSpecial: boolean }): ShownSides {
  const { rows, columns } = sidesOf(trace, kind);
  const indices = (tokens: readonly TraceToken[]) =>
    tokens.flatMap(({ special }, i) => (showsSpecial || !special ? [i] : []));
  const [rowIndices, columnIndices] = [indices(rows), indices(columns)];
  return {
    rows: rowIndices.map((i) => rows[i]),
    columns: columnIndices.map((j) => columns[j]),
    rowIndices,
    columnIndices,
  };
}

/** [rows][columns] of one head: the shown tokens, at the chosen temperature. */
export function shownWeights(
  trace: Trace,
  { kind, layer, head, temperature }: Pick<AttentionState, 'kind' | 'layer' | 'head' | 'temperature'>,
  { rowIndices, columnIndices }: ShownSides,
): Float32Array[] {
  const rows = rowsOf(trace.attention[kind][layer], head);
  const values = rows.map((row) => (temperature === 1 ? row : atTemperature(row, temperature)));
  return pickValues(values, rowIndices, columnIndices);
}
