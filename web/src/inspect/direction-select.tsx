// Selects a translation direction of the server; hidden if there is only one.

import { languageName } from '../language.ts';
import { route, setParameters } from '../router.ts';
import { chosenDirection, type Direction } from './direction.ts';
import { directions } from './directions.ts';
import { words } from './words.ts';

export function DirectionSelect() {
  const all = directions().value ?? [];
  if (all.length < 2) return undefined;
  const chosen = chosenDirection(all, route.value.parameters);
  const severalModels = new Set(all.map(({ model }) => model)).size > 1;
  return (
    <select
      aria-label={words.value.direction}
      value={String(chosen === undefined ? -1 : all.indexOf(chosen))}
      onChange={({ currentTarget }) => {
        const { model, source, target } = all[currentTarget.selectedIndex];
        setParameters({ model: severalModels ? model : undefined, source, target, translation: undefined });
      }}
    >
      {all.map((direction, i) => (
        <option key={i} value={String(i)}>
          {nameOf(direction, { severalModels })}
        </option>
      ))}
    </select>
  );
}

/** `English → German`, with the model's name if several models have it. */
function nameOf({ model, source, target }: Direction, { severalModels }: { readonly severalModels: boolean }): string {
  if (source === undefined || target === undefined) return model;
  const languages = `${languageName(source)} → ${languageName(target)}`;
  return severalModels ? `${languages} · ${model}` : languages;
}
