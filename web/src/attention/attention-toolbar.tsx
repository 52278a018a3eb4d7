// Which attention, which view of it, at which temperature, and whether special tokens are shown.

import { useId } from 'preact/hooks';
import { Choice } from '../inspect/choice.tsx';
import { setParameters } from '../router.ts';
import { type AttentionState, kinds, temperatures, views } from './state.ts';
import { words } from './words.ts';

interface AttentionToolbarProps {
  readonly state: AttentionState;
  readonly onTemperature: (temperature: number) => void;
}

export function AttentionToolbar({ state, onTemperature }: AttentionToolbarProps) {
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
        <Temperature value={state.temperature} onValue={onTemperature} />
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

/** Logarithmic, so that 1 is in the middle between sharper and flatter. */
function Temperature({ value, onValue }: { readonly value: number; readonly onValue: (value: number) => void }) {
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
        onInput={({ currentTarget }) => onValue(Math.round(100 * 2 ** Number(currentTarget.value)) / 100)}
      />
      <output class="number" for={id}>
        {value.toFixed(2)}
      </output>
      <button type="button" class="quiet" disabled={value === 1} onClick={() => onValue(1)}>
        {words.value.reset}
      </button>
    </div>
  );
}
