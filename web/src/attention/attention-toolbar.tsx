// Which attention, which view of it, at which temperature, and whether special tokens are shown.

import { useId } from 'preact/hooks';
import type { Trace } from '../../../src/translate/index.ts';
import { Choice } from '../inspect/choice.tsx';
import { setParameters } from '../router.ts';
import { type AttentionState, kinds, temperatures, views } from './state.ts';
import { words } from './words.ts';

export function AttentionToolbar({ state }: { readonly trace: Trace; readonly state: AttentionState }) {
  return (
    <div class="attention-toolbar">
      <div class="toolbar">
        <Choice
          label={words.value.kind}
          options={kinds}
          names={words.value.kinds}
          chosen={state.kind}
          onChoose={(kind) => setParameters({ attention: kind, word: undefined, layer: undefined, head: undefined })}
        />
        <Choice
          label={words.value.view}
          options={views}
          names={words.value.views}
          chosen={state.view}
          onChoose={(view) => setParameters({ view })}
        />
        <Temperature value={state.temperature} />
        <label class="field" title={words.value.specialHint}>
          <input
            type="checkbox"
            checked={state.showsSpecial}
            onChange={({ currentTarget }) => setParameters({ special: currentTarget.checked ? undefined : 'hidden' })}
          />
          {words.value.special}
        </label>
      </div>
      <p class="hint">
        {words.value.kindHints[state.kind]}
        {state.temperature !== 1 && ` ${words.value.temperatureHint}`}
        {!state.showsSpecial && ` ${words.value.specialHint}`}
      </p>
    </div>
  );
}

/** Moves evenly in the logarithm, so that 1 stands in the middle of sharper and flatter. */
function Temperature({ value }: { readonly value: number }) {
  const id = useId();
  const [least, most] = [Math.log2(temperatures.least), Math.log2(temperatures.most)];
  return (
    <div class="field">
      <label for={id} title={words.value.temperatureHint}>
        {words.value.temperature}
      </label>
      <input
        id={id}
        type="range"
        min={least}
        max={most}
        step="any"
        value={Math.log2(value)}
        aria-valuetext={value.toFixed(2)}
        onInput={({ currentTarget }) => setTemperature(2 ** Number(currentTarget.value))}
      />
      <output class="number" for={id}>
        {value.toFixed(2)}
      </output>
      <button type="button" class="quiet" disabled={value === 1} onClick={() => setTemperature(1)}>
        {words.value.reset}
      </button>
    </div>
  );
}

function setTemperature(value: number): void {
  const rounded = Math.round(value * 100) / 100;
  setParameters({ temperature: rounded === 1 ? undefined : String(rounded) });
}
