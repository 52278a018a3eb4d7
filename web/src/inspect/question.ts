// What the views that look inside a model ask the server, from what the address says.

import type { InspectRequest } from '../../../src/serve/index.ts';
import type { Route } from '../router.ts';

/** The sentence of the address; undefined where there is none. */
export function questionOf({ parameters }: Route): InspectRequest | undefined {
  const text = parameters.get('text') ?? '';
  if (text.trim() === '') return undefined;
  const given = (name: string) => parameters.get(name) || undefined;
  return {
    text,
    source: given('source'),
    target: given('target'),
    model: given('model'),
    translation: given('translation'),
    arrays: 'base64',
  };
}
