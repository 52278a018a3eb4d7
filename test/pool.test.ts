// Translation in worker threads, which run the built code in dist/.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveModel } from '../src/model/node.ts';
import { Glossary } from '../src/translate/index.ts';
import { Translator, TranslatorPool } from '../src/translate/node.ts';
import { smallModel } from './small-model.ts';

const folder = mkdtempSync(join(tmpdir(), 'heed-pool-'));
const lines = Array.from({ length: 60 }, (_, i) => (i % 7 === 3 ? ' ' : `${'a b c d '.repeat(1 + (i % 5))}${i}`));

beforeAll(() => saveModel(folder, smallModel()));
afterAll(() => rmSync(folder, { recursive: true }));

describe('TranslatorPool', () => {
  it('returns the results of a single translator, for various options', async () => {
    const alone = await Translator.load(folder);
    const pool = new TranslatorPool([folder], { workers: 2 });
    const optionSets = [
      { beam: 3, nBest: 2, maxLengthExtra: 4, attention: true },
      { sampling: { seed: 4 }, maxLengthExtra: 4, firstLine: 10 },
      { beam: 2, maxLengthExtra: 8, glossary: new Glossary([{ source: 'b', target: 'c' }]) },
    ];
    for (const options of optionSets) {
      const together = await pool.translateAll(lines, options);
      const expected = await alone.translateAll(lines, options);
      expect(together.map(texts)).toEqual(expected.map(texts));
      expect(together.map(({ source }) => source)).toEqual(lines);
    }
    await pool.release();
  });

  it('keeps the order of lines across windows', async () => {
    const pool = new TranslatorPool([folder], { workers: 2 });
    const sources: string[] = [];
    for await (const { source } of pool.translateLines(lines, { windowLines: 16, beam: 1, maxLengthExtra: 2 })) {
      sources.push(source);
    }
    expect(sources).toEqual(lines);
    await pool.release();
  });

  it('passes errors on, and works after them', async () => {
    const missing = new TranslatorPool([join(folder, 'nothing')], { workers: 1 });
    await expect(missing.translateAll(['a'])).rejects.toMatchObject({
      name: 'HeedError',
      place: join(folder, 'nothing'),
    });
    await missing.release();
    const pool = new TranslatorPool([folder], { workers: 1 });
    await expect(pool.translateAll(['a'], { beam: 0 })).rejects.toThrow('beam must be a whole number of at least 1');
    expect(await pool.translateAll(['a'], { maxLengthExtra: 2 })).toHaveLength(1);
    await pool.release();
  });

  it('stops when the signal aborts', async () => {
    const pool = new TranslatorPool([folder], { workers: 1 });
    const stop = new AbortController();
    const endless = pool.translateAll(lines, { signal: stop.signal, minLength: 3000, maxLengthExtra: 5000 });
    setTimeout(() => stop.abort(new Error('enough')), 300);
    await expect(endless).rejects.toThrow('enough');
    expect(await pool.translateAll(['a'], { maxLengthExtra: 2 })).toHaveLength(1);
    await pool.release();
  });

  it('fails the tasks under way when it is released, and waits for their last step', async () => {
    const pool = new TranslatorPool([folder], { workers: 1 });
    const endless = [0, 1].map(() => pool.translateAll(['a'], { minLength: 3000, maxLengthExtra: 5000 }));
    const failed = Promise.all([
      expect(endless[0]).rejects.toThrow('the translation worker was ended'),
      expect(endless[1]).rejects.toThrow('the pool was released'),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await pool.release();
    await failed;
  });
});

describe('modules of a pool', () => {
  const moduleFile = (name: string, code: string): URL => {
    const path = join(folder, name);
    writeFileSync(path, code);
    return pathToFileURL(path);
  };

  it('are imported in order by each worker before it loads the model', async () => {
    // The first module completes `partial`, the second copies it to where the pool looks for its model.
    const [copy, partial] = [join(folder, 'copy'), join(folder, 'partial')];
    const first = `import { cpSync } from 'node:fs'; cpSync(${JSON.stringify(folder)} + '/config.json', ${JSON.stringify(partial)} + '/config.json');`;
    const second = `import { cpSync } from 'node:fs'; cpSync(${JSON.stringify(partial)}, ${JSON.stringify(copy)}, { recursive: true });`;
    await saveModel(partial, smallModel());
    rmSync(join(partial, 'config.json'));
    const modules = [moduleFile('first.mjs', first), String(moduleFile('second.mjs', second))];
    const pool = new TranslatorPool([copy], { workers: 1, modules });
    expect(await pool.translateAll(['a'], { maxLengthExtra: 2 })).toHaveLength(1);
    await pool.release();
  });

  it('that cannot be imported are an error of the task', async () => {
    const module = moduleFile('broken.mjs', "throw new Error('no such attention')");
    const pool = new TranslatorPool([folder], { workers: 1, modules: [module] });
    await expect(pool.describe()).rejects.toMatchObject({
      name: 'HeedError',
      message: `TranslatorPool: modules: ${module} cannot be imported: no such attention`,
    });
    await pool.release();
  });

  it('must be URLs', () => {
    expect(() => new TranslatorPool([folder], { modules: ['./mine.js'] })).toThrow(
      'TranslatorPool: modules must be URLs, such as pathToFileURL(path) or import.meta.resolve(name) gives, got ./mine.js.',
    );
  });
});

function texts({ translations }: { translations: readonly { text: string; pieces: readonly string[] }[] }) {
  return translations.map(({ text, pieces }) => [text, ...pieces]);
}
