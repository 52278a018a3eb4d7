// Lines from query tokens to key tokens, in two columns or, as in the paper, in two rows.

import { useId, useMemo, useRef, useState } from 'preact/hooks';
import type { TraceToken } from '../../../src/translate/index.ts';
import type { Rgb } from '../drawing/colour.ts';
import { useWidth } from '../drawing/use-width.ts';
import { Piece } from '../inspect/piece.tsx';
import { LineCanvas } from './line-canvas.tsx';
import { LineReadout } from './line-readout.tsx';
import { type HeadWeights, type LineSpace, linesOf, type Orientation } from './lines.ts';
import { LookingTokens } from './looking-tokens.tsx';
import { words } from './words.ts';
import './lines.css';

export interface LineViewProps {
  readonly orientation: Orientation;
  readonly rows: readonly TraceToken[];
  readonly columns: readonly TraceToken[];
  /** The shown heads; rows and columns as above. */
  readonly heads: readonly HeadWeights[];
  /** Of all heads. */
  readonly colours: readonly Rgb[];
  readonly isolated: number | undefined;
  readonly onIsolate: (row: number | undefined) => void;
}

export function LineView({ orientation, rows, columns, heads, colours, isolated, onIsolate }: LineViewProps) {
  const [hovered, setHovered] = useState<number | undefined>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  const readout = useId();
  const length = Math.max(rows.length, columns.length);
  const space = spaceOf(orientation, length, useWidth(frame));
  const row = hovered ?? isolated;
  const lines = useMemo(() => linesOf(heads, { row }), [heads, row]);
  // For a single query word, the lines end side by side, and a strip shows how much weight each head gives each word.
  const strip = row === undefined ? undefined : heads.map(({ head }) => head);
  // Redrawing a hundred words at every pointer move would be slow.
  const looking = useMemo(
    () => (
      <LookingTokens
        tokens={rows}
        isolated={isolated}
        isVertical={orientation === 'columns'}
        describedBy={readout}
        onHover={setHovered}
        onIsolate={onIsolate}
      />
    ),
    [rows, isolated, orientation],
  );
  const lookedAt = useMemo(
    () => (
      <ol class="line-tokens looked-at" aria-label={words.value.lookedAt}>
        {columns.map((token, i) => (
          <li key={i}>
            <Piece token={token} />
          </li>
        ))}
      </ol>
    ),
    [columns],
  );
  return (
    <div class="line-view" ref={frame}>
      <div class="line-scroll">
        <div
          class={`line-grid ${orientation}${orientation === 'rows' ? ' turned' : ''}`}
          style={{ '--step': `${space.step}px` }}
        >
          {looking}
          <LineCanvas lines={lines} space={{ ...space, spread: strip }} length={length} colours={colours} />
          {lookedAt}
        </div>
      </div>
      <LineReadout id={readout} row={row} rows={rows} columns={columns} lines={lines} hasHeads={heads.length > 0} />
    </div>
  );
}

/** Words are as close as they can be read, and spread over the width if they are few. */
function spaceOf(orientation: Orientation, length: number, width: number): LineSpace {
  if (orientation === 'columns') return { orientation, step: 24, gap: Math.max(90, Math.min(420, width - 320)) };
  return { orientation, step: Math.max(20, Math.min(44, Math.floor(width / length))), gap: 240 };
}
