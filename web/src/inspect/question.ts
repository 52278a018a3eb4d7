// What the views that look inside a model ask the server, from what the address says.

import type { Route } from '../router.ts';

/** The body of POST /v1/inspect. */
export interface InspectQuestion {
  readonly text: string;
  readonly source?: string;
  readonly target?: string;
  readonly model?: string;
  /** The translation that the decoder reads; default: the model's own. */
  readonly translation?: string;
  readonly arrays?: 'base64';
}

/** The sentence of the address; undefined where there is none. */
export function questionOf({ parameters }: Route): InspectQuestion | undefined {
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
