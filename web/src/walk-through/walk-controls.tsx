// Selects layer, head and token.

import type { TransformerConfig } from '../../../src/architectures/index.ts';
import type { TraceToken } from '../../../src/translate/index.ts';
import { setParameters } from '../router.ts';
import { words } from './words.ts';

interface WalkControlsProps {
  readonly config: TransformerConfig;
  readonly layer: number;
  readonly head: number;
  /** The tokens of the stage's side. */
  readonly rows: readonly TraceToken[];
  readonly row: number;
  readonly side: 'source' | 'target';
  readonly onRow: (row: number) => void;
}

export function WalkControls({ config, layer, head, rows, row, side, onRow }: WalkControlsProps) {
  const layers = Math.max(config.encoderLayers, config.decoderLayers);
  return (
    <div class="toolbar walk-controls">
      <NumberSelect
        label={words.value.layer}
        count={layers}
        chosen={layer}
        onChoose={(i) => setParameters({ layer: String(i + 1) })}
      />
      <NumberSelect
        label={words.value.head}
        count={config.heads}
        chosen={head}
        onChoose={(i) => setParameters({ head: String(i + 1) })}
      />
      <label class="field">
        {side === 'source' ? words.value.token : words.value.position}
        <select value={String(row)} onChange={({ currentTarget }) => onRow(currentTarget.selectedIndex)}>
          {rows.map(({ piece }, i) => (
            <option key={i} value={String(i)}>
              {piece.replace('▁', '')}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

interface NumberSelectProps {
  readonly label: string;
  readonly count: number;
  /** From 0; displayed from 1. */
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}

function NumberSelect({ label, count, chosen, onChoose }: NumberSelectProps) {
  return (
    <label class="field">
      {label}
      <select value={String(chosen)} onChange={({ currentTarget }) => onChoose(currentTarget.selectedIndex)}>
        {Array.from({ length: count }, (_, i) => (
          <option key={i} value={String(i)}>
            {i + 1}
          </option>
        ))}
      </select>
    </label>
  );
}
