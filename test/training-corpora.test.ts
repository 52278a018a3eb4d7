// heed train on several corpora and languages, on a shared cache, and as a dry run; heed average on its checkpoints.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyTask, reverseTask } from '../src/data/index.ts';
import { loadModel } from '../src/model/node.ts';
import { tagFor } from '../src/text/index.ts';
import { contents, differences } from './training-toy.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const parent = mkdtempSync(join(tmpdir(), 'heed-corpora-'));
afterAll(() => rmSync(parent, { recursive: true }));
const path = (name: string) => join(parent, name);

const small = [
  ...['--merges', '0', '--d-model', '16', '--heads', '2', '--d-inner', '16', '--encoder-layers', '1'],
  ...['--decoder-layers', '1', '--max-tokens', '300', '--epochs', '1', '--threads', '1'],
];

function heed(...args: string[]) {
  return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
}

/** Fails with the program's own words. */
function succeed(...args: string[]) {
  const result = heed(...args);
  expect(result.status, result.stderr).toBe(0);
  return result;
}

beforeAll(() => {
  const files = { copied: copyTask({ count: 300, seed: 1 }), reversed: reverseTask({ count: 100, seed: 2 }) };
  for (const [name, pairs] of Object.entries(files)) {
    writeFileSync(path(`${name}.source`), pairs.map(({ source }) => `${source}\n`).join(''));
    writeFileSync(path(`${name}.target`), pairs.map(({ target }) => `${target}\n`).join(''));
  }
  const corpora = [
    { source: path('copied.source'), target: path('copied.target'), weight: 1, targetLanguage: 'zh' },
    { source: path('reversed.source'), target: path('reversed.target'), weight: 1, targetLanguage: 'reverse' },
  ];
  const valid = { validSource: path('copied.source'), validTarget: path('copied.target') };
  writeFileSync(path('two.yaml'), JSON.stringify({ corpora, ...valid, validTargetLanguage: 'zh' }));
});

const copied = ['--source', path('copied.source'), '--target', path('copied.target')];

describe('heed train', () => {
  it('learns several corpora by weight, each source tagged with its target language', async () => {
    const { stderr } = succeed('train', '--model', path('two'), '--config', path('two.yaml'), ...small);
    expect(stderr).toContain('300 of 300 pairs are used');
    expect(stderr).toContain('100 of 100 pairs are used');
    expect(stderr).toMatch(/validation .* accuracy .* BLEU .*tok:zh/);
    const { sourceTokenizer, directions } = await loadModel(path('two'));
    expect(directions.map(({ source, target }) => `${source}-${target}`)).toEqual(['reverse-zh', 'zh-reverse']);
    expect(sourceTokenizer.controlTokens.slice(3)).toEqual([tagFor('zh'), tagFor('reverse')]);
    expect(succeed('train', '--model', path('two'), '--resume').stderr).toContain('finished already');
  });

  it('names the corpus whose text has changed', () => {
    const other = { corpora: [{ source: path('copied.source'), target: path('copied.target') }] };
    writeFileSync(path('one.yaml'), JSON.stringify(other));
    const { stderr } = heed('train', '--model', path('two'), '--resume', '--config', path('one.yaml'));
    expect(stderr).toContain('train: --corpora must stay what the run began with, [{');
  });

  it('encodes once for all runs that share a cache', () => {
    const shared = [...copied, ...small, '--cache', path('cache')];
    succeed('train', '--model', path('first'), ...shared);
    const made = contents(path('cache'));
    expect([...made.keys()].map((name) => name.replace(/[0-9a-f]{16}/, '…')).sort()).toEqual([
      'cache-…/cache.json',
      'cache-…/ids.bin',
      'cache-…/lengths.bin',
      'tokenizers-….json',
    ]);
    const [cache] = readdirSync(path('cache'));
    const written = statSync(join(path('cache'), cache, 'ids.bin')).mtimeMs;
    succeed('train', '--model', path('second'), ...shared);
    expect(statSync(join(path('cache'), cache, 'ids.bin')).mtimeMs).toBe(written);
    expect(contents(path('cache'))).toEqual(made);
    expect(differences(path('first'), path('second'))).toEqual([]);
    succeed('train', '--model', path('other'), ...shared, '--max-length', '5');
    expect(readdirSync(path('cache')).filter((name) => name.startsWith('cache-'))).toHaveLength(2);
  });

  it('makes the cache again if it was incomplete', () => {
    const cache = readdirSync(path('first/../cache')).find((name) => name.startsWith('cache-'));
    rmSync(join(path('cache'), String(cache), 'cache.json'));
    succeed('train', '--model', path('third'), ...copied, ...small, '--cache', path('cache'));
    expect(differences(path('first'), path('third'))).toEqual([]);
  });
});

describe('heed train --dry-run', () => {
  it('prints size, memory and time, and writes nothing', () => {
    const before = readdirSync(parent);
    const { stdout } = succeed('train', '--model', path('dry'), ...copied, ...small, '--dry-run');
    for (const words of ['parameters', 'activations', 'padding', 'updates an epoch', 'time here'])
      expect(stdout).toContain(words);
    const { stdout: json } = succeed('train', '--model', path('dry'), ...copied, ...small, '--dry-run', '--json');
    const report = JSON.parse(json);
    const { parameters, memory, updatesPerEpoch } = report;
    expect(memory).toMatchObject({ weights: 4 * parameters, gradients: 4 * parameters, moments: 8 * parameters });
    expect(report).toMatchObject({ pairs: 300, tokensPerUpdate: 300, updates: updatesPerEpoch });
    for (const positive of [report.secondsPerUpdate, report.seconds, report.padding, memory.activations])
      expect(positive).toBeGreaterThan(0);
    expect(readdirSync(parent)).toEqual(before);
    const { stderr } = succeed('train', '--model', path('wet'), ...copied, ...small);
    expect(stderr).toContain(`${updatesPerEpoch} updates an epoch`);
    expect(stderr).toContain(`${parameters.toLocaleString('en-US')} parameters`);
  });

  it('supports two vocabularies of different size', () => {
    const separate = ['--vocabulary', 'separate', '--embeddings', 'separate', '--merges', '200'];
    writeFileSync(path('one-word'), 'a\n'.repeat(300));
    const files = ['--source', path('one-word'), '--target', path('copied.target')];
    const { stdout } = succeed('train', '--model', path('dry'), ...files, ...small, ...separate, '--dry-run', '--json');
    const { pieces } = JSON.parse(stdout);
    expect(pieces.target).toBeGreaterThan(pieces.source);
  });
});

describe('heed average', () => {
  it('refuses models of different architecture or vocabulary, and names the difference', () => {
    succeed('train', '--model', path('narrow'), ...copied, ...small);
    succeed('train', '--model', path('wide'), ...copied, ...small, '--heads', '4');
    const wide = heed('average', '--output', path('mean'), path('narrow'), path('wide'));
    const rule = 'only models of one architecture can be averaged';
    expect(wide.stderr).toBe(`error: ${path('wide')}: ${rule}: its heads is 4, that of ${path('narrow')} is 2.\n`);
    const letters = copyTask({ count: 300, seed: 1, words: [...'abcdefghij'] });
    writeFileSync(path('letters'), letters.map(({ source }) => `${source}\n`).join(''));
    succeed('train', '--model', path('lettered'), '--source', path('letters'), '--target', path('letters'), ...small);
    const other = heed('average', '--output', path('mean'), path('narrow'), path('lettered'));
    const vocabulary = 'only models of one vocabulary can be averaged';
    expect(other.stderr).toBe(
      `error: ${path('lettered')}: ${vocabulary}; its sourceTokenizer is not that of ${path('narrow')}.\n`,
    );
    expect([wide.status, other.status]).toEqual([1, 1]);
    expect(existsSync(path('mean'))).toBe(false);
  });
});
