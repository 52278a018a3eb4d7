// An overlay on the picture of a matrix: it follows the pointer and the arrow keys from cell to cell and frames the
// cell. For screen readers it is a grid that contains only the cell at the cursor, as virtualised tables do.

import type { ComponentChildren, CSSProperties, TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useId } from 'preact/hooks';
import './drawing.css';
import { type Cell, cellAt, type Extent, moved } from './cell-cursor.ts';

/** HTML has no element for a table with one of its cells; a real table would have to contain all. */
const [Grid, Row, GridCell] = ['div', 'div', 'div'] as const;

interface CellSurfaceProps {
  readonly extent: Extent;
  readonly cell: Cell | undefined;
  readonly onCell: (cell: Cell | undefined) => void;
  /** Enter, or a click. */
  readonly onChoose?: (cell: Cell) => void;
  /** Names the matrix and says how to use it. */
  readonly label: string;
  /** The content of a cell in words. */
  readonly cellLabel: (cell: Cell) => string;
  readonly style?: CSSProperties;
  /** The picture. */
  readonly children: ComponentChildren;
}

export function CellSurface({ extent, cell, onCell, onChoose, label, cellLabel, style, children }: CellSurfaceProps) {
  const id = useId();
  const follow = ({ clientX, clientY, currentTarget }: TargetedPointerEvent<HTMLElement>) => {
    const next = cellAt({ x: clientX, y: clientY }, currentTarget.getBoundingClientRect(), extent);
    if (next?.row !== cell?.row || next?.column !== cell?.column) onCell(next);
  };
  const press = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const next = moved(cell, event, extent);
    if (next !== undefined) onCell(next);
    else if (event.key === 'Escape') onCell(undefined);
    else if (event.key === 'Enter' && cell !== undefined) onChoose?.(cell);
    else return;
    event.preventDefault();
  };
  const { row, column } = cell ?? { row: 0, column: 0 };
  return (
    <div class="cell-picture" style={style}>
      {children}
      <Grid
        role="grid"
        tabIndex={0}
        class="cell-surface"
        aria-label={label}
        aria-rowcount={extent.rows}
        aria-colcount={extent.columns}
        aria-activedescendant={id}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => onCell(undefined)}
        onClick={() => cell !== undefined && onChoose?.(cell)}
        onKeyDown={press}
        onBlur={() => onCell(undefined)}
      >
        <Row role="row" aria-rowindex={row + 1}>
          <GridCell
            role="gridcell"
            id={id}
            class={cell === undefined ? 'cell-frame hidden' : 'cell-frame'}
            aria-colindex={column + 1}
            aria-label={cellLabel({ row, column })}
            style={frameOf({ row, column }, extent)}
          />
        </Row>
      </Grid>
    </div>
  );
}

function frameOf({ row, column }: Cell, { rows, columns }: Extent): CSSProperties {
  return {
    left: `${(100 * column) / columns}%`,
    top: `${(100 * row) / rows}%`,
    width: `${100 / columns}%`,
    height: `${100 / rows}%`,
  };
}
