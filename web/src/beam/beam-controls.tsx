// Beam width, length penalty, and how many of the pruned hypotheses are drawn.

import { useId } from 'preact/hooks';
import type { SearchTrace } from '../../../src/translate/index.ts';
import { Choice } from '../inspect/choice.tsx';
import { useDelayed } from '../inspect/use-delayed.ts';
import { setParameters } from '../router.ts';
import { type BeamState, leftBehindOptions, limits } from './state.ts';
import { words } from './words.ts';

interface BeamControlsProps {
  readonly state: BeamState;
  /** Shows the model's own options where the user has set none. */
  readonly search: SearchTrace;
}

export function BeamControls({ state, search }: BeamControlsProps) {
  const { lengthPenalty } = search;
  const alpha = lengthPenalty.kind === 'gnmt' ? lengthPenalty.alpha : 0;
  return (
    <div class="toolbar">
      <Slider
        label={words.value.beam}
        value={state.beam ?? search.beam}
        {...limits.beam}
        step={1}
        onValue={(beam) => setParameters({ beam: String(beam) })}
      />
      <Slider
        label={words.value.lengthPenalty}
        value={state.lengthPenalty ?? alpha}
        {...limits.lengthPenalty}
        step={0.1}
        onValue={(chosen) => setParameters({ lengthPenalty: String(chosen) })}
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

function Slider({ label, value: settled, least, most, step, onValue }: SliderProps) {
  const id = useId();
  const [value, setValue] = useDelayed(settled, onValue);
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
        onInput={({ currentTarget }) => setValue(Number(currentTarget.value))}
      />
      <output class="number" for={id}>
        {value}
      </output>
    </div>
  );
}
