// The translation directions of the server's models, and which of them the URL selects.

import type { ModelsAnswer } from '../../../src/serve/index.ts';

export interface Direction {
  readonly model: string;
  /** Language codes; undefined for a model that does not name its languages. */
  readonly source?: string | undefined;
  readonly target?: string | undefined;
}

export function directionsOf({ models }: ModelsAnswer): Direction[] {
  return models.flatMap(({ name, directions: own }) =>
    own.length === 0 ? [{ model: name }] : own.map(({ source, target }) => ({ model: name, source, target })),
  );
}

/** The direction that the URL selects: the one it names, or the first. */
export function chosenDirection(all: readonly Direction[], parameters: URLSearchParams): Direction | undefined {
  const [source, target, model] = ['source', 'target', 'model'].map((name) => parameters.get(name) || undefined);
  const fits = (direction: Direction) =>
    (source === undefined || source === 'auto' || direction.source === source) &&
    (target === undefined || direction.target === target) &&
    (model === undefined || direction.model === model);
  return all.find(fits);
}
