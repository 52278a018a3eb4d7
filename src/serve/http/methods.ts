// Which methods an address takes, for the 405 of all others.

import type { FastifyInstance } from 'fastify';

/** Gathers the routes that are added from now on; the result tells the methods of an address, none if it is not here. */
export function gatherMethods(app: FastifyInstance): (path: string) => string[] {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.endsWith('*')) return;
    methods.set(url, new Set([...(methods.get(url) ?? []), ...[method].flat()]));
  });
  return (path) => {
    const segments = path.split('/');
    const fitting = [...methods].filter(([url]) => fits(url.split('/'), segments));
    return [...new Set(fitting.flatMap(([, known]) => [...known]))];
  };
}

/** `:name` stands for any one segment. */
function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))
  );
}
