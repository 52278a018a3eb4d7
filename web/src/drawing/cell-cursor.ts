// The cell of a matrix under the pointer or the keyboard cursor.

export interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface Extent {
  readonly rows: number;
  readonly columns: number;
}

/** Where a key moves the cursor; undefined for other keys. With Ctrl it goes to the corners, as in spreadsheets. */
export function moved(
  cell: Cell | undefined,
  { key, ctrlKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey'>,
  { rows, columns }: Extent,
): Cell | undefined {
  const { row, column } = cell ?? { row: 0, column: -1 };
  const to = (newRow: number, newColumn: number) => ({
    row: Math.min(rows - 1, Math.max(0, newRow)),
    column: Math.min(columns - 1, Math.max(0, newColumn)),
  });
  switch (key) {
    case 'ArrowRight':
      return to(row, column + 1);
    case 'ArrowLeft':
      return to(row, column - 1);
    case 'ArrowDown':
      return to(cell === undefined ? 0 : row + 1, column);
    case 'ArrowUp':
      return to(row - 1, column);
    case 'Home':
      return to(ctrlKey ? 0 : row, 0);
    case 'End':
      return to(ctrlKey ? rows - 1 : row, columns - 1);
    default:
      return undefined;
  }
}

/** The cell at a point of a box that the matrix fills; undefined outside. */
export function cellAt(
  { x, y }: { readonly x: number; readonly y: number },
  box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
  { rows, columns }: Extent,
): Cell | undefined {
  const column = Math.floor(((x - box.left) / box.width) * columns);
  const row = Math.floor(((y - box.top) / box.height) * rows);
  return row >= 0 && row < rows && column >= 0 && column < columns ? { row, column } : undefined;
}
