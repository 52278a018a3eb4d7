// The options of the search.

import { apiKey, chooseApiKey } from '../api.ts';
import { CopyButton } from './copy-button.tsx';
import { effectiveBeam, effectiveLengthPenalty, mostAlternatives, needsKey } from './models.ts';
import { translateAgain } from './outcome.ts';
import { change, limits, type Settings, settings } from './settings.ts';
import { words } from './words.ts';

export function SearchOptions() {
  return (
    <fieldset class="toolbar search-options">
      <legend class="visually-hidden">{words.value.search}</legend>
      <Slider name="beam" value={effectiveBeam.value} hint={words.value.beamHint} />
      <Slider name="lengthPenalty" value={effectiveLengthPenalty.value} hint={words.value.lengthPenaltyHint} />
      <Slider
        name="alternatives"
        value={Math.min(settings.value.alternatives, mostAlternatives.value)}
        max={mostAlternatives.value}
        hint={words.value.alternativesHint}
      />
      {needsKey.value && <KeyField />}
      <CopyButton label={words.value.copyLink} content={() => location.href} />
    </fieldset>
  );
}

interface SliderProps {
  readonly name: keyof typeof limits & keyof Settings;
  readonly value: number;
  readonly hint: string;
  /** Default: the limit of the option. */
  readonly max?: number;
}

function Slider({ name, value, hint, max = limits[name].max }: SliderProps) {
  const { min, step } = limits[name];
  return (
    <label class="field" title={hint}>
      {words.value[name]}
      <input
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={max === min}
        onInput={({ currentTarget }) => change({ [name]: currentTarget.valueAsNumber })}
      />
      <output class="number">{step < 1 ? value.toFixed(1) : value}</output>
    </label>
  );
}

function KeyField() {
  const choose = (key: string) => {
    chooseApiKey(key);
    translateAgain();
  };
  return (
    <label class="field">
      {words.value.apiKey}
      <input
        type="password"
        autocomplete="off"
        value={apiKey.value}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </label>
  );
}
