// Chooses the step whose values and samples are shown: the keyboard's counterpart of pointing at a chart.

import { formatCount } from '../numbers.ts';
import { pinnedStep } from './reading.ts';
import { logs, shown } from './runs.ts';
import { words } from './words.ts';

export function StepSlider() {
  const last = Math.max(0, ...shown.value.map((run) => logs.value.get(run)?.events.at(-1)?.step ?? 0));
  const step = Math.min(last, pinnedStep.value ?? last);
  const pin = (value: number) => {
    pinnedStep.value = value >= last ? undefined : value;
  };
  return (
    <label class="field step-slider">
      {words.value.readAt}
      <input
        type="range"
        min={0}
        max={last}
        value={step}
        step={Math.max(1, Math.round(last / 200))}
        onInput={({ currentTarget }) => pin(currentTarget.valueAsNumber)}
      />
      <output class="number">{pinnedStep.value === undefined ? words.value.latest : formatCount(step)}</output>
    </label>
  );
}
