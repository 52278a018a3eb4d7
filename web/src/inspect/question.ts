// The requests of the inspecting views to /v1/inspect, made from the URL.

import type { InspectRequest } from '../../../src/serve/index.ts';
import type { Route } from '../router.ts';
import { chosenDirection } from './direction.ts';
import { directions } from './directions.ts';

/** For the sentence of the URL; undefined if there is none, or while the server's directions are not known yet. */
export function questionOf({ parameters }: Route): InspectRequest | undefined {
  const text = parameters.get('text') ?? '';
  const all = directions().value;
  if (text.trim() === '' || all === undefined) return undefined;
  const given = (name: string) => parameters.get(name) || undefined;
  // With several directions the first is the default; a server with one model needs no direction.
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
