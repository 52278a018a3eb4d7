// The command line: its output, the files it writes, and its errors for invalid input.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reverseTask } from '../src/data/index.ts';
import { Translator } from '../src/translate/node.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heed-cli-'));
const path = (name: string) => join(folder, name);

function heed(...args: string[]) {
  return run(args, '');
}

function run(args: string[], input: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** One clear line, exit code 1. */
function expectRefusal({ status, stderr }: ReturnType<typeof heed>, ...words: string[]): void {
  for (const word of words) expect(stderr).toContain(word);
  expect(
    stderr
      .trim()
      .split('\n')
      .filter((line) => line !== ''),
  ).toHaveLength(1);
  expect(status).toBe(1);
}

const tiny = [
  ...['--d-model', '32', '--heads', '4', '--d-inner', '64', '--encoder-layers', '1', '--decoder-layers', '1'],
  ...[
    '--merges',
    '0',
    '--max-tokens',
    '400',
    '--schedule',
    'inverse-sqrt',
    '--peak-rate',
    '3e-3',
    '--warmup-steps',
    '30',
  ],
  ...['--dropout', '0', '--threads', '1', '--log-every', '10'],
];

beforeAll(() => {
  const pairs = reverseTask({ count: 600, seed: 1, minLength: 2, maxLength: 6 });
  writeFileSync(path('source'), pairs.map(({ source }) => `${source}\n`).join(''));
  writeFileSync(path('target'), pairs.map(({ target }) => `${target}\n`).join(''));
  const trained = heed(
    ...['train', '--source', path('source'), '--target', path('target'), '--model', path('model')],
    ...['--valid-source', path('source'), '--valid-target', path('target'), '--valid-bleu', 'false'],
    ...tiny,
    ...['--steps', '40', '--validate-every', '20', '--average-last', '2'],
  );
  expect(trained.stderr).toContain('done in');
  expect(trained.status).toBe(0);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('heed train', () => {
  it('writes a model folder and a log of events', () => {
    const names = readdirSync(path('model'));
    for (const name of ['config.json', 'model.safetensors', 'tokenizer.json', 'generation.json'])
      expect(names).toContain(name);
    const lines = readFileSync(path('model/training/events.jsonl'), 'utf8').trim().split('\n');
    const events: { kind: string; step: number }[] = lines.map((line) => JSON.parse(line));
    expect(events.filter(({ kind }) => kind === 'step').map(({ step }) => step)).toEqual([10, 20, 30, 40]);
    expect(events.filter(({ kind }) => kind === 'validation').map(({ step }) => step)).toEqual([20, 40]);
    expect(events.at(-1)).toMatchObject({ kind: 'stop', reason: 'finished' });
  });

  it('reports that a finished run is finished', () => {
    const again = heed(
      ...['train', '--source', path('source'), '--target', path('target'), '--model', path('model'), '--resume'],
      ...['--valid-source', path('source'), '--valid-target', path('target'), '--valid-bleu', 'false'],
      ...tiny,
      ...['--steps', '40', '--validate-every', '20', '--average-last', '2'],
    );
    expect(again.stderr).toContain('finished');
    expect(again.status).toBe(0);
  });

  const train = (...more: string[]) =>
    heed('train', '--source', path('source'), '--target', path('target'), '--model', path('new'), ...tiny, ...more);

  it('refuses to train over a model', () => {
    expectRefusal(
      heed('train', '--source', path('source'), '--target', path('target'), '--model', path('model')),
      '--resume',
    );
  });

  it('refuses missing, empty and unequal files, and a corpus without a usable pair', () => {
    writeFileSync(path('empty'), '');
    writeFileSync(path('short'), 'one\ntwo\n');
    writeFileSync(path('blank'), '\n\n');
    const files = (source: string, target: string) =>
      heed('train', '--source', path(source), '--target', path(target), '--model', path('new'), '--steps', '1');
    expectRefusal(files('nothing', 'target'), path('nothing'), 'no such file');
    expectRefusal(files('empty', 'target'), path('empty'), 'empty');
    expectRefusal(files('short', 'target'), '2', '600');
    expectRefusal(files('blank', 'short'), 'blank');
  });

  it('names the nearest preset, flag and key', () => {
    expectRefusal(train('--preset', 'smal'), 'smal', 'did you mean small?');
    writeFileSync(path('config.yaml'), 'peakRat: 0.001\n');
    expectRefusal(train('--config', path('config.yaml')), path('config.yaml'), 'peakRat', 'did you mean peakRate?');
    const flag = train('--leraning-rate', '1');
    expect(flag.status).toBe(1);
    expect(train('--peak-rat', '1').stderr).toContain('--peak-rate');
  });

  it('refuses values that break a rule, and a run without an end', () => {
    expectRefusal(train('--steps', 'many'), '--steps', 'number');
    expectRefusal(train('--steps', '1', '--d-model', '30'), 'dModel must be divisible by heads', '30 and 4');
    expectRefusal(train('--steps', '1', '--dropout', '1.5'), 'dropout', '1.5');
    expectRefusal(train(), 'epochs, steps or patience');
    expect(readdirSync(folder)).not.toContain('new');
  });
});

describe('heed translate', () => {
  it('keeps line i at line i: blank lines, unusual line separators, too long lines', () => {
    const lines = ['a b c', '', ' ', 'd\u2028e', '\t', 'f g '.repeat(900), 'h\u0085i', 'c b a'];
    const { status, stdout } = run(
      ['translate', '--model', path('model'), '--beam', '2', '--max-length-extra', '5'],
      `${lines.join('\n')}\n`,
    );
    expect(status).toBe(0);
    const output = stdout.split('\n');
    expect(output).toHaveLength(lines.length + 1);
    for (const i of [1, 2, 4]) expect(output[i]).toBe(lines[i]);
    const alone = run(['translate', '--model', path('model'), '--beam', '2', '--max-length-extra', '5'], 'c b a\n');
    expect(output[7]).toBe(alone.stdout.trimEnd());
  });

  it('reads and writes files, prints records, and gives a library user the same', async () => {
    writeFileSync(path('in'), 'a b\nc d e\n');
    expect(heed('translate', '--model', path('model'), '--input', path('in'), '--output', path('out')).status).toBe(0);
    const translator = await Translator.load(path('model'));
    expect(readFileSync(path('out'), 'utf8')).toBe(
      (await translator.translate(['a b', 'c d e'])).map((line) => `${line}\n`).join(''),
    );
    const { stdout } = heed(
      'translate',
      '--model',
      path('model'),
      '--input',
      path('in'),
      '--n-best',
      '3',
      '--format',
      'jsonl',
    );
    const [record] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(record.translations).toHaveLength(3);
    expect(record.translations[0].score).toBeGreaterThanOrEqual(record.translations[1].score);
    expect(record.source).toBe('a b');
    expect(record.sourcePieces.at(-1)).toBe('</s>');
  });

  it('refuses folders without a valid model', () => {
    const copy = (name: string, change: (folder: string) => void) => {
      mkdirSync(path(name));
      for (const file of ['config.json', 'model.safetensors', 'tokenizer.json']) {
        writeFileSync(path(`${name}/${file}`), readFileSync(path(`model/${file}`)));
      }
      change(path(name));
      return heed('translate', '--model', path(name), '--input', path('in'));
    };
    const config = JSON.parse(readFileSync(path('model/config.json'), 'utf8'));
    writeFileSync(path('in'), 'a\n');
    expectRefusal(heed('translate', '--model', path('nowhere'), '--input', path('in')), path('nowhere'));
    expectRefusal(
      copy('cut', (f) =>
        writeFileSync(`${f}/model.safetensors`, readFileSync(path('model/model.safetensors')).subarray(0, 5000)),
      ),
      'model.safetensors',
      'cut off',
    );
    expectRefusal(
      copy('newer', (f) => writeFileSync(`${f}/config.json`, JSON.stringify({ ...config, version: 99 }))),
      'newer version',
    );
    expectRefusal(
      copy('unfit', (f) => {
        const architecture = { ...config.architecture, sourceVocabularySize: 7, targetVocabularySize: 7 };
        writeFileSync(`${f}/config.json`, JSON.stringify({ ...config, architecture }));
      }),
      'tokenizer',
      '7',
    );
  });
});

describe('heed evaluate', () => {
  it('prints scores with their signatures', () => {
    writeFileSync(path('hypothesis'), 'the cat sat on the mat\n');
    writeFileSync(path('reference'), 'the cat sat on a mat\n');
    const { status, stdout } = heed(
      'evaluate',
      '--hypothesis',
      path('hypothesis'),
      '--reference',
      path('reference'),
      '--metric',
      'bleu,chrf,ter',
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ *BLEU\|nrefs:1\|case:mixed\|eff:no\|tok:13a\|smooth:exp\|version:[\d.]+ = \d+\.\d+/);
    expect(stdout).toMatch(/^ *chrF2\|/m);
    expect(stdout).toMatch(/^ *TER\|/m);
  });

  it('refuses unequal files and unknown metrics', () => {
    writeFileSync(path('longer'), 'a\nb\n');
    expectRefusal(heed('evaluate', '--hypothesis', path('longer'), '--reference', path('reference')), '2', '1');
    expectRefusal(
      heed('evaluate', '--hypothesis', path('hypothesis'), '--reference', path('reference'), '--metric', 'blue'),
      'did you mean bleu?',
    );
  });
});

describe('heed average', () => {
  it('averages checkpoints of a run into a model, and refuses different ones', () => {
    const checkpoints = readdirSync(path('model/training')).filter((name) => name.startsWith('step-'));
    expect(checkpoints).toHaveLength(2);
    const { status } = heed(
      'average',
      '--output',
      path('mean'),
      ...checkpoints.map((name) => path(`model/training/${name}`)),
    );
    expect(status).toBe(0);
    expect(run(['translate', '--model', path('mean')], 'a b\n').status).toBe(0);
    expectRefusal(heed('average', '--output', path('mean2'), path('model'), path('nowhere')), path('nowhere'));
  });
});
