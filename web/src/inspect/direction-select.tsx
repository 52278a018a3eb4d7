// Which of the server's directions, as `source-target`; nothing where there is but one.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ModelsAnswer } from '../../../src/serve/index.ts';
import { get } from '../api.ts';
import { languageName } from '../language.ts';
import { route, setParameters } from '../router.ts';
import { words } from './words.ts';

interface Direction {
  readonly model: string;
  readonly source: string;
  readonly target: string;
}

const directions = signal<readonly Direction[]>([]);

export function DirectionSelect() {
  useEffect(() => void loadDirections(), []);
  if (directions.value.length < 2) return undefined;
  const { parameters } = route.value;
  const chosen = directions.value.findIndex(
    ({ model, source, target }) =>
      source === parameters.get('source') &&
      target === parameters.get('target') &&
      [model, null].includes(parameters.get('model')),
  );
  const severalModels = new Set(directions.value.map(({ model }) => model)).size > 1;
  return (
    <select
      aria-label={words.value.direction}
      value={String(Math.max(0, chosen))}
      onChange={({ currentTarget }) => {
        const { model, source, target } = directions.value[currentTarget.selectedIndex];
        setParameters({ model: severalModels ? model : undefined, source, target, translation: undefined });
      }}
    >
      {directions.value.map(({ model, source, target }, i) => (
        <option key={i} value={String(i)}>
          {languageName(source)} → {languageName(target)}
          {severalModels ? ` · ${model}` : ''}
        </option>
      ))}
    </select>
  );
}

/** Without an answer there is nothing to choose; the question itself will tell what is wrong. */
async function loadDirections(): Promise<void> {
  if (directions.value.length > 0) return;
  const answer = await get<ModelsAnswer>('v1/models').catch(() => undefined);
  directions.value =
    answer?.models.flatMap(({ name, directions: own }) => own.map((direction) => ({ model: name, ...direction }))) ??
    [];
}
