// The current route: `#/attention?text=a+dog&target=de`. All state worth a permalink is in the hash, which browsers do
// not send to the server, so that the user's text stays out of its logs.

import { type ReadonlySignal, signal } from '@preact/signals';

export const viewNames = ['translate', 'attention', 'walk-through', 'beam', 'training'] as const;

export type ViewName = (typeof viewNames)[number];

export interface Route {
  readonly view: ViewName;
  readonly parameters: URLSearchParams;
}

/** Parameters that all views share, and that are kept when the view changes. */
const sharedParameters = ['text', 'source', 'target', 'translation', 'model'];

const current = signal(parseRoute(location.hash));

export const route: ReadonlySignal<Route> = current;

addEventListener('hashchange', () => {
  current.value = parseRoute(location.hash);
});

/** An unknown view gives the first one. */
function parseRoute(hash: string): Route {
  const [path, ...query] = hash.replace(/^#\/?/, '').split('?');
  const view = viewNames.find((name) => name === path) ?? viewNames[0];
  return { view, parameters: new URLSearchParams(query.join('?')) };
}

function hashOf({ view, parameters }: Route): string {
  const query = parameters.toString();
  return `#/${view}${query && `?${query}`}`;
}

/** The URL of another view with the current sentence and languages. */
export function hashOfView(view: ViewName, from: Route = current.value): string {
  const kept = sharedParameters.filter((name) => from.parameters.has(name));
  return hashOf({ view, parameters: new URLSearchParams(kept.map((name) => [name, from.parameters.get(name) ?? ''])) });
}

/**
 * Writes the view's state into the URL, without an entry in the browser's history. Undefined and '' remove a parameter;
 * others stay as they are. A view that is no longer current writes nothing, since the URL belongs to the next one.
 */
export function setParameters(changes: Readonly<Record<string, string | undefined>>): void {
  const { view, parameters } = parseRoute(location.hash);
  if (view !== current.value.view) return;
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') parameters.delete(name);
    else parameters.set(name, value);
  }
  const next = { view, parameters };
  history.replaceState(undefined, '', hashOf(next));
  current.value = next;
}
