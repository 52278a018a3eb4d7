// One head enlarged: weights as colours, with the words on both sides, row sums, and the numbers of the cell under the
// pointer.

import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TraceToken } from '../../../src/translate/index.ts';
import type { Cell } from '../drawing/cell-cursor.ts';
import { CellSurface } from '../drawing/cell-surface.tsx';
import { textWidth } from '../drawing/figure.ts';
import { HeatCanvas } from '../drawing/heat-canvas.tsx';
import { markChild } from '../drawing/mark.ts';
import { useWidth } from '../drawing/use-width.ts';
import { Piece } from '../inspect/piece.tsx';
import { HeatReadout } from './heat-readout.tsx';
import { rowSum } from './weights.ts';
import { words } from './words.ts';

export interface HeatMapProps {
  readonly layer: number;
  readonly head: number;
  readonly rows: readonly TraceToken[];
  readonly columns: readonly TraceToken[];
  /** [rows][columns] */
  readonly values: readonly ArrayLike<number>[];
  /** The weight of the strongest colour. */
  readonly strongest: number;
  /** The index of the row that is shown alone. */
  readonly isolated: number | undefined;
  readonly onIsolate: (row: number) => void;
}

/** Pixels of a cell: at the least words stay readable, at the most few words do not fill the screen. */
const cellSizes = { least: 14, most: 46 };

/** Width of the row labels in pixels; longer words are cut. */
const mostLabelWidth = 120;

/** Pixels besides labels and cells: the row sums and the frame. */
const sumsWidth = 76;

export function HeatMap(props: HeatMapProps) {
  const { layer, head, rows, columns, values, strongest, isolated, onIsolate } = props;
  const [cell, setCell] = useState<Cell | undefined>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  const labelWidth = Math.min(mostLabelWidth, Math.max(...rows.map(({ piece }) => textWidth(piece, 13))));
  const fitting = Math.floor((useWidth(frame) - labelWidth - sumsWidth) / columns.length);
  const size = Math.min(cellSizes.most, Math.max(cellSizes.least, fitting));
  const label = words.value.heatMapLabel(layer + 1, head + 1, rows.length, columns.length);
  const columnLabels = useMemo(() => <Labels class="heat-columns turned" tokens={columns} />, [columns]);
  const rowLabels = useMemo(
    () => <Labels class="heat-rows" tokens={rows} isolated={isolated} onChoose={onIsolate} />,
    [rows, isolated],
  );
  const sums = useMemo(() => <RowSums values={values} />, [values]);
  useLayoutEffect(() => {
    markChild(frame.current?.querySelector('.heat-columns'), cell?.column);
    markChild(frame.current?.querySelector('.heat-rows'), cell?.row);
  }, [cell]);
  return (
    <div class="heat-map" ref={frame}>
      <div class="heat-scroll" style={{ '--cell': `${size}px` }}>
        <div class="heat-grid">
          {columnLabels}
          {rowLabels}
          <CellSurface
            extent={{ rows: rows.length, columns: columns.length }}
            cell={cell}
            onCell={setCell}
            onChoose={({ row }) => onIsolate(row)}
            label={label}
            cellLabel={({ row, column }) =>
              words.value.cell(rows[row].piece, columns[column].piece, values[row][column].toFixed(4))
            }
            style={{ width: `${size * columns.length}px`, height: `${size * rows.length}px` }}
          >
            <HeatCanvas values={values} kind="weights" range={[0, strongest]} />
            {isolated !== undefined && <Veil row={isolated} rows={rows.length} />}
          </CellSurface>
          {sums}
          <span class="heat-sums-head" aria-hidden="true">
            {words.value.sum}
          </span>
        </div>
      </div>
      <Legend strongest={strongest} />
      <HeatReadout cell={cell ?? cellOfRow(isolated, values)} rows={rows} columns={columns} values={values} />
    </div>
  );
}

/** An isolated row shows the numbers of its strongest cell until the pointer is on one. */
function cellOfRow(row: number | undefined, values: readonly ArrayLike<number>[]): Cell | undefined {
  if (row === undefined) return undefined;
  const weights = Array.from(values[row]);
  return { row, column: weights.indexOf(Math.max(...weights)) };
}

interface LabelsProps {
  readonly class: string;
  readonly tokens: readonly TraceToken[];
  readonly isolated?: number | undefined;
  /** For the mouse; with the keyboard, Enter on a cell does the same. */
  readonly onChoose?: (index: number) => void;
}

function Labels({ class: name, tokens, isolated, onChoose }: LabelsProps) {
  return (
    <ol class={name} aria-hidden="true">
      {tokens.map((token, i) => (
        <li key={i} class={i === isolated ? 'isolated' : undefined}>
          <button type="button" tabIndex={-1} disabled={onChoose === undefined} onClick={() => onChoose?.(i)}>
            <Piece token={token} />
          </button>
        </li>
      ))}
    </ol>
  );
}

function RowSums({ values }: Pick<HeatMapProps, 'values'>) {
  return (
    <ol class="heat-sums number" aria-hidden="true">
      {values.map((row, i) => (
        <li key={i}>{rowSum(row).toFixed(2)}</li>
      ))}
    </ol>
  );
}

const ramp = [Float32Array.from({ length: 64 }, (_, i) => i / 63)];

function Legend({ strongest }: Pick<HeatMapProps, 'strongest'>) {
  return (
    <p class="heat-legend number" aria-hidden="true">
      0 <HeatCanvas values={ramp} kind="weights" range={[0, 1]} /> {strongest.toFixed(2)}
    </p>
  );
}

/** Two overlays that dim the other rows. */
function Veil({ row, rows }: { readonly row: number; readonly rows: number }) {
  return (
    <>
      <div class="veil" style={{ top: '0', height: `${(100 * row) / rows}%` }} />
      <div class="veil" style={{ bottom: '0', height: `${(100 * (rows - row - 1)) / rows}%` }} />
    </>
  );
}
