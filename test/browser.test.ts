// heed/web bundled as a page's build tool does it: no Node modules, and only what is used.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Rollup } from 'vite';
import { afterAll, describe, expect, it } from 'vitest';
import type * as heedWeb from '../src/browser.ts';
import { compile } from '../src/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heed-browser-'));
afterAll(() => rmSync(folder, { recursive: true }));

const isPlatform = (id: string) => id.startsWith('node:') || builtinModules.includes(id) || id === 'onnxruntime-node';

/** The bundle of a program, and the modules of the platform that it would need. */
async function bundle(name: string, code: string): Promise<{ file: string; size: number; platform: string[] }> {
  const entry = join(folder, `${name}.js`);
  writeFileSync(entry, code);
  const platform = new Set<string>();
  const built = await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    build: { write: false, minify: false, lib: { entry, formats: ['es'], fileName: name } },
    plugins: [
      {
        name: 'platform',
        enforce: 'pre',
        resolveId(id) {
          if (!isPlatform(id)) return undefined;
          platform.add(id);
          return { id, external: true };
        },
      },
    ],
  });
  const [{ output }] = built as Rollup.RollupOutput[];
  const file = join(folder, `${name}.bundle.mjs`);
  writeFileSync(file, output[0].code);
  return { file, size: output[0].code.length, platform: [...platform].sort() };
}

const built = (path: string) => JSON.stringify(join(root, 'dist', path));

describe('heed/web', () => {
  it('needs neither Node nor its engine, which heed does', async () => {
    const { platform } = await bundle('all', `export * from ${built('browser.js')};`);
    expect(platform).toEqual([]);
    const node = await bundle('node', `export * from ${built('index.js')};`);
    expect(node.platform).toEqual(expect.arrayContaining(['node:fs/promises', 'onnxruntime-node']));
  });

  it('translates with a model that was fetched', async () => {
    const { file } = await bundle('translate', `export { parseModel, Translator } from ${built('browser.js')};`);
    const web: Pick<typeof heedWeb, 'parseModel' | 'Translator'> = await import(pathToFileURL(file).href);
    const read = (name: string) => readFileSync(join(root, 'models/en-zh', name));
    const model = web.parseModel(
      {
        config: read('config.json').toString(),
        weights: read('model.safetensors'),
        tokenizers: { joint: read('tokenizer.json').toString() },
      },
      'models/en-zh',
    );
    const translator = new web.Translator(model, { compile, threads: 1 });
    expect(await translator.translate('The dog is running.', { to: 'zh' })).toMatch(/\p{Script=Han}/u);
    await translator.release();
  });

  it('leaves out what is not used, and keeps what registers itself', async () => {
    const all = await bundle('whole', `export * from ${built('browser.js')};`);
    const part = await bundle(
      'part',
      `import { buildModel, transformerConfig } from ${built('browser.js')};
       const sizes = { dModel: 8, heads: 2, dInner: 8, encoderLayers: 1, decoderLayers: 1, positions: 'rotary', activation: 'swiglu' };
       export const model = buildModel(transformerConfig(sizes, { sourceVocabularySize: 9 }));`,
    );
    expect(part.size).toBeLessThan(all.size / 2);
    const { model }: { model: heedWeb.SequenceModel } = await import(pathToFileURL(part.file).href);
    expect(model.config).toMatchObject({ kind: 'encoder-decoder', positions: 'rotary', activation: 'swiglu' });
  });
});
