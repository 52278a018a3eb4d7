// Beam width, length penalty, and how much of what was left behind is drawn.

import { useId } from 'preact/hooks';
import { Choice } from '../inspect/choice.tsx';
import { setParameters } from '../router.ts';
import { type BeamState, leftBehindOptions, limits } from './state.ts';
import { words } from './words.ts';

export function BeamControls({ state }: { readonly state: BeamState }) {
  return (
    <div class="toolbar">
      <Slider
        label={words.value.beam}
        value={state.beam}
        {...limits.beam}
        step={1}
        onValue={(beam) => setParameters({ beam: beam === 4 ? undefined : String(beam) })}
      />
      <Slider
        label={words.value.lengthPenalty}
        value={state.lengthPenalty}
        {...limits.lengthPenalty}
        step={0.1}
        onValue={(alpha) => setParameters({ lengthPenalty: alpha === 0.6 ? undefined : String(alpha) })}
      />
      <div class="field">
        {words.value.leftBehind}
        <Choice
          label={words.value.leftBehind}
          options={leftBehindOptions}
          names={words.value.leftBehindOptions}
          chosen={state.leftBehind}
          onChoose={(leftBehind) => setParameters({ leftBehind })}
        />
      </div>
    </div>
  );
}

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly onValue: (value: number) => void;
}

/** Tells the value when it is let go: each one asks for a search. */
function Slider({ label, value, least, most, step, onValue }: SliderProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={least}
        max={most}
        step={step}
        value={value}
        onChange={({ currentTarget }) => onValue(Number(currentTarget.value))}
      />
      <output class="number" for={id}>
        {value}
      </output>
    </div>
  );
}
