// The page as Vite built it. Files with a hash in their name are cached for ever, the others are revalidated. Without a
// build, `/` says how to make one.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Where `npm run build` puts it; the same path relative to src/ and to dist/. */
const builtPage = fileURLToPath(new URL('../../dist/web/', import.meta.url));

/** Only code of this server runs. KaTeX positions symbols by style attributes, which cannot load anything. */
const policy = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "style-src-attr 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const missing = 'The page is not built; `npm run build` makes it. The HTTP interface is described at /docs.';

export async function addPage(app: FastifyInstance, folder = builtPage): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    app.get('/', { schema: { hide: true } }, async (_, reply) => reply.type('text/plain; charset=utf-8').send(missing));
    return;
  }
  await app.register(async (page) => {
    page.addHook('onSend', async (_, reply) => {
      reply.header('content-security-policy', policy).header('referrer-policy', 'no-referrer');
    });
    await page.register(fastifyStatic, {
      root: folder,
      dotfiles: 'ignore',
      setHeaders(reply, path) {
        const isNamedByContent = path.startsWith(join(folder, 'assets'));
        reply.header('cache-control', isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  });
}
