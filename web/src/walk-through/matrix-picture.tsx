// A matrix as a picture: a colour for each number, words beside its rows, and frames around the inputs of the explained
// number.

import { useMemo } from 'preact/hooks';
import type { Cell } from '../drawing/cell-cursor.ts';
import { CellSurface } from '../drawing/cell-surface.tsx';
import { HeatCanvas } from '../drawing/heat-canvas.tsx';
import { symmetricRange } from '../drawing/heat-pixels.ts';
import { Piece } from '../inspect/piece.tsx';
import { Formula } from './formula.tsx';
import type { Matrix, Region } from './stage.ts';
import { format } from './sums.ts';
import { words } from './words.ts';

interface MatrixPictureProps {
  readonly matrix: Matrix;
  /** The explained cell, if it is in this matrix. */
  readonly cell: Cell | undefined;
  /** The regions that the explained number is computed from. */
  readonly regions: readonly Region[];
  /** Whether this stage computes it. */
  readonly isResult: boolean;
  readonly onCell: (cell: Cell | undefined) => void;
  readonly onChoose: (cell: Cell) => void;
}

/** A picture with more columns takes a line of its own. */
const wideColumns = 80;

export function MatrixPicture({ matrix, cell, regions, isResult, onCell, onChoose }: MatrixPictureProps) {
  const { id, symbol, rows, columns, values, kind } = matrix;
  const shown = useMemo(() => withoutMasked(values), [values]);
  const range = useMemo(() => (kind === 'weights' ? ([0, 1] as const) : symmetricRange(shown)), [shown, kind]);
  const width = values[0].length;
  const name = words.value.matrices[id];
  const shape = [
    columns === undefined ? 'vectors' : 'pairs',
    width > wideColumns ? 'wide' : '',
    isResult ? 'result' : '',
  ];
  return (
    <figure class={`matrix ${shape.join(' ')}`} style={{ '--columns': String(width) }} data-matrix={id}>
      <figcaption>
        <Formula tex={symbol} /> <span>{name}</span>{' '}
        <span class="hint number">
          {rows.length} × {width}
        </span>
      </figcaption>
      <div class="matrix-scroll">
        <div class="matrix-grid">
          {columns !== undefined && (
            <ol class="matrix-columns turned" aria-hidden="true">
              {columns.map((piece, j) => (
                <li key={j} class={j === cell?.column ? 'marked' : undefined}>
                  <Piece token={{ piece }} />
                </li>
              ))}
            </ol>
          )}
          <ol class="matrix-rows" aria-hidden="true">
            {rows.map((piece, i) => (
              <li key={i} class={i === cell?.row ? 'marked' : undefined}>
                <Piece token={{ piece }} />
              </li>
            ))}
          </ol>
          <CellSurface
            extent={{ rows: rows.length, columns: width }}
            cell={cell}
            onCell={onCell}
            onChoose={onChoose}
            label={words.value.pictureLabel(name, rows.length, width)}
            cellLabel={({ row, column }) =>
              words.value.cell(rows[row], columnName(matrix, column), format(values[row][column]))
            }
          >
            <HeatCanvas values={shown} kind={kind} range={range} />
            {regions.map(({ row, column }) => (
              <RegionFrame key={`${row}-${column}`} row={row} column={column} rows={rows.length} columns={width} />
            ))}
          </CellSurface>
        </div>
      </div>
    </figure>
  );
}

/** The piece, or the index within a vector, from 1. */
export function columnName({ columns }: Matrix, column: number): string {
  return columns?.[column] ?? words.value.place(column + 1);
}

interface RegionFrameProps {
  readonly row: number | undefined;
  readonly column: number | undefined;
  readonly rows: number;
  readonly columns: number;
}

function RegionFrame({ row, column, rows, columns }: RegionFrameProps) {
  const top = row === undefined ? 0 : row / rows;
  const left = column === undefined ? 0 : column / columns;
  const style = {
    top: `${100 * top}%`,
    left: `${100 * left}%`,
    height: row === undefined ? '100%' : `${100 / rows}%`,
    width: column === undefined ? '100%' : `${100 / columns}%`,
  };
  return <div class="region-frame" style={style} />;
}

/** −10⁹ stands for −∞, and has no colour. */
function withoutMasked(values: readonly Float32Array[]): Float32Array[] {
  return values.map((row) => row.map((value) => (value <= -1e8 ? Number.NaN : value)));
}
