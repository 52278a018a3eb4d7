// npm run results on corpora of a few lines: from a recipe to the page, and the bundled model.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { copyTask, reverseTask } from '../src/data/index.ts';
import { loadModel } from '../src/model/node.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const parent = mkdtempSync(join(tmpdir(), 'heed-results-'));
afterAll(() => rmSync(parent, { recursive: true }));
const path = (name: string) => join(parent, name);

const folders = ['data', 'models', 'recipes', 'report'].flatMap((name) => [`--${name}`, path(name)]);

function results(...args: string[]) {
  const given = ['results/run.mjs', ...args, ...folders];
  return spawnSync(process.execPath, given, { cwd: root, encoding: 'utf8' });
}

function write(name: string, lines: readonly string[]): void {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), lines.map((line) => `${line}\n`).join(''));
}

const tiny = {
  merges: 0,
  dModel: 16,
  heads: 2,
  dInner: 16,
  encoderLayers: 1,
  decoderLayers: 1,
  maxTokens: 400,
  epochs: 2,
  averageLast: 2,
  threads: 1,
};

beforeAll(() => {
  for (const part of ['train', 'test']) {
    const pairs = reverseTask({ count: 100, seed: part.length });
    const [source, target] = [pairs.map((pair) => pair.source), pairs.map((pair) => pair.target)];
    write(`data/scan/simple.${part}.in`, source);
    write(`data/scan/simple.${part}.out`, target);
  }
  write('recipes/scan-simple.yaml', [stringify(tiny)]);
  for (const [part, count] of Object.entries({ train: 120, dev: 20, test: 20 })) {
    const pairs = copyTask({ count, seed: part.length });
    write(
      `data/tatoeba-en-zh/${part}.en`,
      pairs.map(({ source }) => source),
    );
    write(
      `data/tatoeba-en-zh/${part}.zh`,
      pairs.map(({ target }) => target),
    );
  }
  write('data/tatoeba-en-zh/all.attribution.tsv', ['1:Anna\t2:Bo', '1:Anna\t3:Bo', '4:Anna\t5:Chu']);
  const [source, target] = ['../shared/data/tatoeba-en-zh/train.en', '../shared/data/tatoeba-en-zh/train.zh'];
  const corpora = [
    { source, target, targetLanguage: 'zh' },
    { source: target, target: source, targetLanguage: 'en' },
  ];
  write('recipes/tatoeba-en-zh.yaml', [stringify({ ...tiny, corpora })]);
});

// Many processes one after the other, on machines that may have more to do.
describe('npm run results', { timeout: 300_000 }, () => {
  it('trains, scores, and writes the page, around what people wrote', () => {
    write('report/docs/results.md', ['# Results', '', 'A remark.']);
    const { status, stderr, stdout } = results('scan-simple');
    expect(status, stderr).toBe(0);
    expect(stderr).toContain('95 of 95 pairs are used for training');
    expect(stdout).toMatch(/^test: EM\|nrefs:1\|case:mixed\|ref:any = \d/m);
    const page = readFileSync(path('report/docs/results.md'), 'utf8');
    expect(page).toMatch(/^# Results\n\nA remark\.\n/);
    expect(page).toMatch(/^\| SCAN, simple split \| test \| EM \| [\d.]+ \(wrong [\d.]+\) \|$/m);
    expect(page).toContain('## SCAN, simple split\n\n<!-- scan-simple: generated');
    expect(page).toMatch(/parameters, seed 1; 2 epochs, \d+ updates, \d+ min of wall-clock time on 1 of \d+ cores \(/);
    expect(page).toContain(
      '    npx heed train --config results/scan-simple.yaml --source .results/scan-simple-data/train.in',
    );
    expect(page).toContain('--input ../shared/data/scan/simple.test.in --output .results/scan-simple.1.out\n');
    expect(page).toMatch(/^\| 2 \| \d+ \| [\d.]+ \| [\d.]+ \| [\d.]+ % \| [\d.]+ \|$/m);
    expect(page).not.toContain(parent);
  });

  it('writes a section anew in its place', () => {
    const pagePath = path('report/docs/results.md');
    writeFileSync(pagePath, `${readFileSync(pagePath, 'utf8')}\nA remark below.\n`);
    const { status, stderr } = results('scan-simple');
    expect(status, stderr).toBe(0);
    expect(stderr).toContain('finished already');
    const page = readFileSync(pagePath, 'utf8');
    expect(page.match(/## SCAN/g)).toHaveLength(1);
    expect(page).toMatch(/\nA remark below\.\n$/);
  });

  it('trains a language model, and scores the end of its text', () => {
    write('data/tinyshakespeare/input.txt', new Array<string>(30).fill('to be, or not to be'));
    const { encoderLayers, decoderLayers, averageLast, epochs, ...shared } = tiny;
    const recipe = {
      task: 'language-model',
      ...shared,
      layers: 1,
      context: 8,
      steps: 6,
      logEvery: 3,
      validateEvery: 3,
    };
    write('recipes/tinyshakespeare.yaml', [stringify({ ...recipe, maxTokens: 32 })]);
    const { status, stderr, stdout } = results('tinyshakespeare');
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/^validation: nats per character\|tokens:62\|characters:60 = \d\.\d{4} \(perplexity = /m);
    const page = readFileSync(path('report/docs/results.md'), 'utf8');
    expect(page).toMatch(/^\| Tiny Shakespeare, .* \| validation \| nats per character \| \d\.\d+ \|$/m);
    expect(page).toContain('Validation:\n\n| epoch | updates | training nll | perplexity | accuracy |\n');
    expect(page).toMatch(/^\| 1 \| 3 \| [\d.]+ \| [\d.]+ \| [\d.]+ % \|$/m);
    expect(page).toContain(
      'npx heed score --model .results/tinyshakespeare --text .results/tinyshakespeare-data/valid.txt',
    );
  });

  it('makes the bundled model', async () => {
    const { status, stderr } = results('tatoeba-en-zh', '--bundle');
    expect(status, stderr).toBe(0);
    const bundled = await loadModel(path('report/models/en-zh'));
    expect(bundled.quantized).toBeDefined();
    expect(bundled.directions).toHaveLength(2);
    expect(bundled.generation).toEqual({ beam: 5, lengthPenalty: 'average:1' });
    const attribution = readFileSync(path('report/models/en-zh/ATTRIBUTION.txt'), 'utf8');
    expect(attribution).toContain('https://tatoeba.org');
    expect(attribution.split('\n\n')[1]).toMatch(/^ +2 {2}Anna\n +2 {2}Bo\n +1 {2}Chu\n$/);
    const card = readFileSync(path('report/models/en-zh/README.md'), 'utf8');
    expect(card).toContain('| training, both ways | train.en | train.zh | 120 |');
    expect(card).toMatch(/^\| test, zh → en \| BLEU \| [\d.]+ \| `BLEU\\\|nrefs:1.*tok:13a/m);
    expect(card).toMatch(/^\| test, en → zh \| BLEU \| [\d.]+ \| `BLEU\\\|nrefs:1.*tok:zh/m);
    const page = readFileSync(path('report/docs/results.md'), 'utf8');
    expect(page).toContain('| Tatoeba, English ⇄ Chinese in one model | test, en → zh | BLEU |');
    expect(page).toContain('npx heed train --config results/tatoeba-en-zh.yaml --valid-source');
  });

  it('scores a model of another folder as it is', () => {
    rmSync(path('report/results'), { recursive: true });
    renameSync(path('models'), path('elsewhere'));
    const { status, stderr } = results('scan-simple', '--score-only', '--model', path('elsewhere/scan-simple'));
    expect(status, stderr).toBe(0);
    expect(stderr).not.toContain('finished already');
    expect(existsSync(path('report/results/scan-simple.json'))).toBe(true);
  });

  it('does nothing if the data is missing, and says so', () => {
    rmSync(path('data/scan/simple.test.in'));
    const { status, stdout } = results('scan-simple');
    expect(status).toBe(0);
    expect(stdout).toBe(
      `scan-simple: skipped, since ${path('data/scan/simple.test.in')} is not there; --data names the folder of the corpora.\n`,
    );
  });

  it('refuses unknown experiments and flags that do not fit', () => {
    expect(results('scan-simpel').stderr).toContain('did you mean scan-simple? Known: multi30k-en-de,');
    expect(results('scan-simple', '--bundle').stderr).toContain('--bundle is for the experiment of the bundled model');
    expect(results().status).toBe(1);
  });
});
