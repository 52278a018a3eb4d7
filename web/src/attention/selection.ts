// From a trace and the state of the view to the weights on the screen.

import type { Trace, TraceToken } from '../../../src/translate/index.ts';
import { rowsOf } from '../inspect/arrays.ts';
import type { HeadWeights } from './lines.ts';
import type { AttentionState, Bounds, Kind } from './state.ts';
import { atTemperature } from './weights.ts';

/** The two sides of one kind of attention. Rows are labelled by the token read at a position, never by the one predicted. */
export interface Sides {
  readonly rows: readonly TraceToken[];
  readonly columns: readonly TraceToken[];
}

export function sidesOf({ source, target }: Trace, kind: Kind): Sides {
  return {
    rows: kind === 'encoder' ? source.tokens : target.tokens,
    columns: kind === 'decoder' ? target.tokens : source.tokens,
  };
}

export function boundsOf(trace: Trace, kind: Kind): Bounds {
  return {
    layers: trace.attention[kind].length,
    heads: trace.model.config.heads,
    rows: sidesOf(trace, kind).rows.length,
  };
}

/** The tokens on the screen, by their indices among all. */
export interface Shown {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

export function shownTokens({ rows, columns }: Sides, showsSpecial: boolean): Shown {
  return { rows: indicesShown(rows, showsSpecial), columns: indicesShown(columns, showsSpecial) };
}

function indicesShown(tokens: readonly TraceToken[], showsSpecial: boolean): number[] {
  return tokens.flatMap(({ special }, i) => (showsSpecial || !special ? [i] : []));
}

/** One head's weights at the chosen temperature, all tokens. */
export function headWeights(
  trace: Trace,
  { kind, layer, temperature }: Pick<AttentionState, 'kind' | 'layer' | 'temperature'>,
  head: number,
): HeadWeights {
  const rows = rowsOf(trace.attention[kind][layer], head);
  return { head, values: rows.map((row) => atTemperature(row, temperature)) };
}
