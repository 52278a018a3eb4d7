// heed train, stopped as processes are stopped: by kill -9, SIGTERM and Ctrl-C at random moments, while it prepares, learns,
// validates and writes. Resumed with nothing but its folder, it ends with the same files, byte for byte.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../src/base/random.ts';
import { copyTask } from '../src/data/index.ts';
import { Translator } from '../src/translate/node.ts';
import { differences } from './training-toy.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const parent = mkdtempSync(join(tmpdir(), 'heed-kill-'));
afterAll(() => rmSync(parent, { recursive: true }));
const path = (name: string) => join(parent, name);

const corpus = ['--source', path('text'), '--target', path('text')];
const recipe = [
  ...[...corpus, '--valid-source', path('valid'), '--valid-target', path('valid'), '--merges', '0'],
  ...['--d-model', '16', '--heads', '2', '--d-inner', '16', '--encoder-layers', '1', '--decoder-layers', '1'],
  ...['--max-tokens', '400', '--epochs', '5', '--accumulate', '2', '--average-last', '3', '--validate-every', '7'],
  ...['--schedule', 'inverse-sqrt', '--peak-rate', '0.01', '--warmup-steps', '10', '--patience', '50'],
  ...['--log-every', '3', '--save-every', '1', '--noise-typos', '0.05', '--threads', '1'],
];

interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

function heed(args: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (status, signal) => resolve({ status, signal, stderr }));
  });
  return { child, ended };
}

function textOf(count: number, seed: number): string {
  return copyTask({ count, seed, words: [...'abcdefghij'] })
    .map(({ source }) => `${source}\n`)
    .join('');
}

/** Milliseconds that a whole run takes, start and all. */
let wholeMs = 0;

beforeAll(async () => {
  writeFileSync(path('text'), textOf(900, 1));
  writeFileSync(path('valid'), textOf(30, 2));
  const began = performance.now();
  const { status, stderr } = await heed(['train', '--model', path('whole'), ...recipe]).ended;
  expect(status, stderr).toBe(0);
  wholeMs = performance.now() - began;
});

describe('heed train', () => {
  it('ends with the same bytes however often and however it is killed', async () => {
    const random = Random.of(Date.now());
    const folder = path('killed');
    const ends: string[] = [];
    for (let kills = 0; ; kills++) {
      const args = existsSync(`${folder}/training/run.json`) ? ['--resume'] : recipe;
      const { child, ended } = heed(['train', '--model', folder, ...args]);
      const signal = random.pick(['SIGKILL', 'SIGKILL', 'SIGINT', 'SIGTERM'] as const);
      // After ten, it is left alone.
      const timer = kills < 10 ? setTimeout(() => child.kill(signal), random.uniform() * wholeMs) : undefined;
      const { status, signal: killedBy, stderr } = await ended;
      clearTimeout(timer);
      ends.push(`${signal} ${killedBy ?? status}`);
      if (killedBy === null) expect([0, 130, 143], stderr).toContain(status);
      if (status === 0) break;
    }
    expect(differences(path('whole'), folder), ends.join(', ')).toEqual([]);
  }, 300_000);

  it('prints on Ctrl-C how to resume, and the model can be used', async () => {
    const folder = path('interrupted');
    const { child, ended } = heed(['train', '--model', folder, ...recipe]);
    const log = `${folder}/training/events.jsonl`;
    while (!existsSync(log)) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGINT');
    const { status, stderr } = await ended;
    expect(stderr).toContain(`stopped and saved; go on with: heed train --model ${folder} --resume`);
    expect(status).toBe(130);
    expect(await (await Translator.load(folder)).translate('a b c')).toBeTypeOf('string');
    const resumed = await heed(['train', '--model', folder, '--resume']).ended;
    expect(resumed.status).toBe(0);
    expect(differences(path('whole'), folder)).toEqual([]);
  });

  it('ends at once on Ctrl-C before the first step, and can be started again', async () => {
    const folder = path('early');
    const { child, ended } = heed(['train', '--model', folder, ...recipe]);
    setTimeout(() => child.kill('SIGINT'), 50);
    expect((await ended).signal).toBe('SIGINT');
    expect(existsSync(`${folder}/config.json`)).toBe(false);
    expect((await heed(['train', '--model', folder, ...recipe]).ended).status).toBe(0);
    expect(differences(path('whole'), folder)).toEqual([]);
  });

  it('reports that a finished run is finished', async () => {
    const again = await heed(['train', '--model', path('whole'), '--resume', ...recipe]).ended;
    expect(again.stderr).toContain('finished already');
    expect(again.status).toBe(0);
  });

  it.each([
    [['--dropout', '0.2'], 'train: --dropout must stay what the run began with, 0.1, got 0.2; leave it out'],
    [['--merges', '5'], 'train: --merges must stay what the run began with, 0, got 5; leave it out'],
    [['--d-model', '32'], 'train: --d-model must stay what the run began with, 16, got 32; leave it out'],
    [['--source', 'VALID'], 'valid: is not the source file that this run began with ('],
    [['--valid-target', 'TEXT'], 'text: is not the validation target file that this run began with ('],
  ])('refuses to resume with %j', async (more, message) => {
    const args = more.map((arg) => ({ VALID: path('valid'), TEXT: path('text') })[arg] ?? arg);
    const { status, stderr } = await heed(['train', '--model', path('whole'), '--resume', ...args]).ended;
    expect(stderr).toContain(message);
    expect(status).toBe(1);
  });

  it('refuses to resume without a run, and to start in the folder of a run', async () => {
    const none = await heed(['train', '--model', path('none'), '--resume']).ended;
    expect(none.stderr).toContain(`${path('none')}: holds no run to resume; leave out --resume to start one.`);
    expect(existsSync(path('none'))).toBe(false);
    const over = await heed(['train', '--model', path('whole'), ...recipe]).ended;
    expect(over.stderr).toContain('already holds a model; use --resume to go on with it, or name another folder.');
    expect([none.status, over.status]).toEqual([1, 1]);
  });
});
