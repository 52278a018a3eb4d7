// The strongest lines of one word, in words; and how many lines there are.

import type { TraceToken } from '../../../src/translate/index.ts';
import { Piece } from '../inspect/piece.tsx';
import type { Line } from './lines.ts';
import { words } from './words.ts';

interface LineReadoutProps {
  readonly id: string;
  readonly row: number | undefined;
  readonly rows: readonly TraceToken[];
  readonly columns: readonly TraceToken[];
  /** Weak ones first. */
  readonly lines: readonly Line[];
  readonly hasHeads: boolean;
}

export function LineReadout({ id, row, rows, columns, lines, hasHeads }: LineReadoutProps) {
  if (!hasHeads) {
    return (
      <p id={id} class="readout hint" role="status">
        {words.value.noHeads}
      </p>
    );
  }
  if (row === undefined) {
    return (
      <p id={id} class="readout hint">
        {words.value.lineViewLabel(undefined, lines.length)}. {words.value.wordsHint}
      </p>
    );
  }
  return (
    <p id={id} class="readout" role="status">
      <strong>
        <Piece token={rows[row]} />
      </strong>{' '}
      {words.value.looksAt}{' '}
      {lines
        .slice(-5)
        .reverse()
        .map(({ head, column, weight }) => (
          <span key={`${head}-${column}`} class="readout-item">
            <Piece token={columns[column]} /> <span class="number">{weight.toFixed(2)}</span>{' '}
            <span class="hint">({words.value.head(head + 1)})</span>
          </span>
        ))}
    </p>
  );
}
