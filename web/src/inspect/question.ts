// What the views that look inside a model ask the server, from what the address says.

import type { InspectRequest } from '../../../src/serve/index.ts';
import type { Route } from '../router.ts';
import { chosenDirection } from './direction.ts';
import { directions } from './directions.ts';

/** The sentence of the address; undefined where there is none, or while the server's directions are not known yet. */
export function questionOf({ parameters }: Route): InspectRequest | undefined {
  const text = parameters.get('text') ?? '';
  const all = directions().value;
  if (text.trim() === '' || all === undefined) return undefined;
  const given = (name: string) => parameters.get(name) || undefined;
  // The first direction is the usual one where there are several; a server of one model needs to be told nothing.
  const usual = all.length > 1 ? chosenDirection(all, parameters) : undefined;
  return {
    text,
    source: given('source') ?? usual?.source,
    target: given('target') ?? usual?.target,
    model: given('model') ?? (usual?.source === undefined ? usual?.model : undefined),
    translation: given('translation'),
    arrays: 'base64',
  };
}
