// Builds the page into dist/web, where the server looks for it. Nothing is inlined and every address is relative: the page
// works under a strict content security policy and behind any path.

import { defineConfig } from 'vite';

const serverPaths = ['/translate', '/languages', '/detect', '/frontend', '/health', '/v1', '/docs', '/openapi.json'];
const developmentServer = process.env.HEED_SERVER ?? 'http://127.0.0.1:5000';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
    // On a busy machine the build would warn of itself.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: { proxy: Object.fromEntries(serverPaths.map((path) => [path, developmentServer])) },
});
