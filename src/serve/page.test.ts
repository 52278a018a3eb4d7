import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { addPage } from './page.ts';

const folder = mkdtempSync(join(tmpdir(), 'heed-page-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>heed</title>');
writeFileSync(join(folder, 'assets', 'main-1a2b.js'), 'export {};');
writeFileSync(join(folder, '.secret'), 'x');
afterAll(() => rmSync(folder, { recursive: true }));

async function get(url: string, from = folder) {
  const app = Fastify();
  await addPage(app, from);
  return app.inject({ url });
}

describe('the page', () => {
  it('is served with a strict content security policy, and revalidated', async () => {
    const { statusCode, headers, body } = await get('/');
    expect([statusCode, body]).toEqual([200, '<!doctype html><title>heed</title>']);
    expect(headers['cache-control']).toBe('no-cache');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/script-src|unsafe-eval|https?:/);
  });

  it('has files with a hash in their name cached for ever', async () => {
    expect((await get('/assets/main-1a2b.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('serves no other files', async () => {
    for (const url of ['/.secret', '/../package.json', '/%2e%2e/package.json', '/nothing'])
      expect((await get(url)).statusCode).toBeGreaterThanOrEqual(400);
  });

  it('says how to build it where it is not built', async () => {
    const { statusCode, body } = await get('/', join(folder, 'nothing'));
    expect([statusCode, body]).toEqual([200, expect.stringContaining('npm run build')]);
  });
});
