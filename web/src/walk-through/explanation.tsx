// The number under the pointer: its row and column, the sum that gives it, and its neighbours.

import type { Cell } from '../drawing/cell-cursor.ts';
import { Piece } from '../inspect/piece.tsx';
import { columnName } from './matrix-picture.tsx';
import type { Matrix, Origin } from './stage.ts';
import { format } from './sums.ts';
import { words } from './words.ts';

interface ExplanationProps {
  readonly matrix: Matrix;
  readonly cell: Cell;
  readonly origin: Origin | undefined;
}

/** Numbers shown on either side. */
const neighbours = 4;

export function Explanation({ matrix, cell, origin }: ExplanationProps) {
  const { row, column } = cell;
  const value = matrix.values[row][column];
  return (
    <div class="explanation">
      <p class="explanation-cell">
        <strong>
          <Piece token={{ piece: matrix.rows[row] }} />
        </strong>
        {matrix.columns === undefined ? ', ' : ' → '}
        <strong>
          <Piece token={{ piece: columnName(matrix, column) }} />
        </strong>
        <span class="hint"> · {words.value.matrices[matrix.id]} · </span>
        <output class="number">{format(value)}</output>
      </p>
      {origin !== undefined && <p class="explanation-sum number">{origin.sum}</p>}
      <NumberStrip matrix={matrix} cell={cell} />
    </div>
  );
}

/** Numbers of the row around the cell, each with its column. */
function NumberStrip({ matrix, cell: { row, column } }: Omit<ExplanationProps, 'origin'>) {
  const numbers = matrix.values[row];
  const first = Math.max(0, Math.min(column - neighbours, numbers.length - 2 * neighbours - 1));
  const places = Array.from({ length: Math.min(numbers.length, 2 * neighbours + 1) }, (_, i) => first + i);
  return (
    <ol class="number-strip number" aria-hidden="true">
      {places.map((place) => (
        <li key={place} class={place === column ? 'marked' : undefined}>
          <span class="hint">
            {matrix.columns === undefined ? place + 1 : <Piece token={{ piece: matrix.columns[place] }} />}
          </span>
          {format(numbers[place])}
        </li>
      ))}
    </ol>
  );
}
