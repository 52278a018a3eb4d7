// Every head of every layer as a thumbnail: a table with a row for each layer and a column for each head, for mouse and
// arrow keys.

import type { TargetedKeyboardEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { moved } from '../drawing/cell-cursor.ts';
import { HeatCanvas } from '../drawing/heat-canvas.tsx';
import { words } from './words.ts';

interface HeadGridProps {
  /** [layers][heads] of [rows][columns] */
  readonly weights: readonly (readonly (readonly ArrayLike<number>[])[])[];
  /** [layers][heads], bits */
  readonly entropies: readonly (readonly number[])[];
  /** The entropy that a bar of full width stands for, bits. */
  readonly mostBits: number;
  /** The weight of the strongest colour. */
  readonly strongest: number;
  readonly layer: number;
  readonly head: number;
  readonly onChoose: (layer: number, head: number) => void;
}

export function HeadGrid({ weights, entropies, mostBits, strongest, layer, head, onChoose }: HeadGridProps) {
  const table = useRef<HTMLTableElement>(null);
  const heads = weights[0].length;
  const press = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const next = moved({ row: layer, column: head }, event, { rows: weights.length, columns: heads });
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.row, next.column);
    table.current?.querySelector<HTMLElement>(`[data-head="${next.row}-${next.column}"]`)?.focus();
  };
  return (
    <table class="head-grid" ref={table}>
      <caption class="visually-hidden">{words.value.headGrid}</caption>
      <thead>
        <tr>
          <td />
          {entropies[0].map((_, i) => (
            <th key={i} scope="col" aria-label={words.value.head(i + 1)}>
              {i + 1}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weights.map((layerWeights, i) => (
          <tr key={i}>
            <th scope="row" aria-label={words.value.layer(i + 1)}>
              {i + 1}
            </th>
            {layerWeights.map((values, j) => (
              <td key={j}>
                <button
                  type="button"
                  class="thumbnail"
                  data-head={`${i}-${j}`}
                  aria-label={words.value.thumbnail(i + 1, j + 1, entropies[i][j].toFixed(2))}
                  aria-pressed={i === layer && j === head}
                  tabIndex={i === layer && j === head ? 0 : -1}
                  onClick={() => onChoose(i, j)}
                  onKeyDown={press}
                >
                  <HeatCanvas values={values} kind="weights" range={[0, strongest]} />
                  <span class="entropy-bar" style={{ width: `${barWidth(entropies[i][j], mostBits)}%` }} />
                </button>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function barWidth(bits: number, mostBits: number): number {
  return mostBits > 0 ? (100 * bits) / mostBits : 0;
}
