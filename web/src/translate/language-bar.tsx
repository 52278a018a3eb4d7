// Selects source and target language. Models that do not name their languages are selected by their own names.

import { languageName } from '../language.ts';
import { hasDirection, sources, targets, unnamedModels } from './models.ts';
import { text, translated } from './outcome.ts';
import { change, settings } from './settings.ts';
import { words } from './words.ts';

export function LanguageBar() {
  return (
    <div class="language-bar">
      <div class="language-side">
        <SourceSelect />
        <Detected />
        <SwapButton />
      </div>
      <div class="language-side">
        <TargetSelect />
      </div>
    </div>
  );
}

/** Models are in the same list as languages; their values have this prefix. */
const modelPrefix = 'model:';

function SourceSelect() {
  const { source, model } = settings.value;
  return (
    <select
      aria-label={words.value.sourceLanguage}
      value={model === '' ? source : modelPrefix + model}
      onChange={({ currentTarget }) => chooseSource(currentTarget.value)}
    >
      {sources.value.length > 0 && <option value="auto">{words.value.detectLanguage}</option>}
      {sources.value.map((code) => (
        <option key={code} value={code}>
          {languageName(code)}
        </option>
      ))}
      {unnamedModels.value.map(({ name }) => (
        <option key={name} value={modelPrefix + name}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Keeps the target if the new source can be translated into it, or else takes the first possible one. */
function chooseSource(value: string): void {
  if (value.startsWith(modelPrefix)) {
    change({ model: value.slice(modelPrefix.length), source: '', target: '' });
    return;
  }
  change({ model: '', source: value });
  if (!targets.value.includes(settings.value.target)) change({ target: targets.value[0] });
}

function TargetSelect() {
  const { target, model } = settings.value;
  if (model !== '') return <span class="hint">{words.value.modelLanguage}</span>;
  return (
    <select
      aria-label={words.value.targetLanguage}
      value={target}
      onChange={({ currentTarget }) => change({ target: currentTarget.value })}
    >
      {targets.value.map((code) => (
        <option key={code} value={code}>
          {languageName(code)}
        </option>
      ))}
    </select>
  );
}

function Detected() {
  const detected = translated.value?.answer.detectedLanguage;
  if (settings.value.source !== 'auto' || !detected) return undefined;
  return <span class="hint">{words.value.detected(languageName(detected.language), detected.confidence)}</span>;
}

/** Swaps the languages and makes the translation the text. */
function SwapButton() {
  const { target } = settings.value;
  const source = knownSource();
  const swap = () => change({ source: target, target: source, text: text.value || settings.value.text });
  return (
    <button
      type="button"
      class="swap"
      aria-label={words.value.swap}
      title={words.value.swap}
      disabled={source === undefined || !hasDirection(target, source)}
      onClick={swap}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M3 7h13m-4-4 4 4-4 4M17 13H4m4-4-4 4 4 4" />
      </svg>
    </button>
  );
}

function knownSource(): string | undefined {
  const { source } = settings.value;
  return source === 'auto' ? translated.value?.answer.detectedLanguage?.language : source;
}
