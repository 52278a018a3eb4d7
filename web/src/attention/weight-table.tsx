// The numbers of one head as a table, for screen readers and for copying; built when it is opened.

import { useState } from 'preact/hooks';
import type { TraceToken } from '../../../src/translate/index.ts';
import { Scrollable } from '../design/scrollable.tsx';
import { Piece } from '../inspect/piece.tsx';
import { words } from './words.ts';

interface WeightTableProps {
  readonly layer: number;
  readonly head: number;
  readonly rows: readonly TraceToken[];
  readonly columns: readonly TraceToken[];
  /** Of all heads of the layer. */
  readonly weights: readonly (readonly Float32Array[])[];
}

export function WeightTable({ layer, head, rows, columns, weights }: WeightTableProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="number-table" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{words.value.asTable}</summary>
      {isOpen && (
        <Scrollable class="table-frame" label={words.value.asTable}>
          <table class="number">
            <caption>{words.value.tableCaption(layer + 1, head + 1)}</caption>
            <thead>
              <tr>
                <td />
                {columns.map((token, j) => (
                  <th key={j} scope="col">
                    <Piece token={token} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((token, i) => (
                <tr key={i}>
                  <th scope="row">
                    <Piece token={token} />
                  </th>
                  {Array.from(weights[head][i], (weight, j) => (
                    <td key={j}>{weight.toFixed(3)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scrollable>
      )}
    </details>
  );
}
