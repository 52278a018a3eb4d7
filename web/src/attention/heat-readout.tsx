// The cell under the pointer, in words and numbers.

import type { TraceToken } from '../../../src/translate/index.ts';
import type { Cell } from '../drawing/cell-cursor.ts';
import { Piece } from '../inspect/piece.tsx';
import { entropyBits, rowSum } from './weights.ts';
import { words } from './words.ts';

interface HeatReadoutProps {
  readonly cell: Cell | undefined;
  readonly rows: readonly TraceToken[];
  readonly columns: readonly TraceToken[];
  readonly values: readonly ArrayLike<number>[];
}

export function HeatReadout({ cell, rows, columns, values }: HeatReadoutProps) {
  if (cell === undefined || cell.row >= rows.length || cell.column >= columns.length) {
    return <p class="readout hint">{words.value.pointAt}</p>;
  }
  const row = values[cell.row];
  const bits = entropyBits(row);
  return (
    <p class="readout">
      <strong>
        <Piece token={rows[cell.row]} />
      </strong>{' '}
      {words.value.looksAt}{' '}
      <strong>
        <Piece token={columns[cell.column]} />
      </strong>
      : <span class="readout-value number">{row[cell.column].toFixed(4)}</span>
      <span class="readout-more number">
        {words.value.rowSum} {rowSum(row).toFixed(3)} ·{' '}
        {words.value.entropyBits(bits.toFixed(2), (2 ** bits).toFixed(1))}
      </span>
    </p>
  );
}
