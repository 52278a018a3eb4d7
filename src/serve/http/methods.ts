// Which methods an address accepts, for the status 405 of all others.

import type { FastifyInstance } from 'fastify';

/** Records the routes that are added afterwards. The result maps an address to its methods: none if it is unknown. */
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

/** `:name` matches any one segment. */
function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))
  );
}
