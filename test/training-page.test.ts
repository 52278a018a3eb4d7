// A run watched and stopped from outside while it learns: by its own page (heed train --ui), and by a server that knows its
// folder alone (heed serve --run). Neither changes a byte of what it learns.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { copyTask } from '../src/data/index.ts';
import type { RunList } from '../src/serve/index.ts';
import { differences } from './training-toy.ts';

const parent = mkdtempSync(join(tmpdir(), 'heed-page-'));
const path = (name: string) => join(parent, name);

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const children = new Set<ChildProcess>();

beforeAll(() => {
  const textOf = (count: number, seed: number) =>
    copyTask({ count, seed, words: [...'abcdefghij'] })
      .map(({ source }) => `${source}\n`)
      .join('');
  writeFileSync(path('text'), textOf(300, 1));
  writeFileSync(path('valid'), textOf(5, 2));
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

afterAll(() => rmSync(parent, { recursive: true }));

/** Long enough to be stopped on the way, however fast the machine. */
const recipe = [
  ...[
    '--source',
    path('text'),
    '--target',
    path('text'),
    '--valid-source',
    path('valid'),
    '--valid-target',
    path('valid'),
  ],
  ...['--merges', '0', '--d-model', '16', '--heads', '2', '--d-inner', '16', '--encoder-layers', '1'],
  ...['--decoder-layers', '1', '--max-tokens', '200', '--steps', '100000', '--validate-every', '15', '--samples', '2'],
  ...['--schedule', 'constant', '--peak-rate', '0.01', '--warmup-steps', '1', '--log-every', '3', '--threads', '1'],
];

/** A command under way; `says` waits for what it prints, and gives it. */
function heed(...args: string[]) {
  const child = spawn(process.execPath, [main, ...args]);
  children.add(child);
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<{ status: number | null; stderr: string }>((resolve) => {
    child.on('close', (status) => {
      children.delete(child);
      resolve({ status, stderr });
    });
  });
  const says = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(stderr);
      if (found !== null) return found[1];
      if (!children.has(child)) throw new Error(`ended, and never said ${pattern}: ${stderr}`);
      await delay(20);
    }
  };
  return { child, ended, says };
}

const train = (folder: string, ...args: string[]) => heed('train', '--model', path(folder), ...args);

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(50);
}

const stop = (address: string, name: string) => fetch(`${address}/v1/runs/${name}/stop`, { method: 'POST' });
const runsOf = async (address: string): Promise<RunList['runs']> => {
  const list = (await (await fetch(`${address}/v1/runs`)).json()) as RunList;
  return list.runs;
};
const linesOf = (folder: string, name: string) =>
  readFileSync(path(`${folder}/training/${name}`), 'utf8')
    .trim()
    .split('\n');

describe('heed train --ui', () => {
  it('shows the run as it learns and stops it; resumed, it is the run that was never watched', async () => {
    const run = train('watched', ...recipe, '--ui');
    const address = await run.says(/can be watched at (http:\/\/127\.0\.0\.1:\d+)\/#\/training/);
    expect((await fetch(address)).status).toBe(200);

    const stream = await fetch(`${address}/v1/runs/watched/events?follow`);
    let text = '';
    const reading = (async () => {
      for await (const part of (stream.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()))
        text += part;
    })();
    await until(() => text.includes('"kind":"validation"'));
    const [{ state, latest, recipe: known }] = await runsOf(address);
    expect(state).toBe('running');
    expect(known).toMatchObject({ dModel: 16, samples: 2 });
    expect(latest.step?.gradientNorm).toBeGreaterThan(0);
    expect(latest.speed?.targetTokensPerSecond).toBeGreaterThan(0);
    expect(latest.validation?.samples).toHaveLength(2);

    expect((await stop(address, 'watched')).status).toBe(200);
    const { status, stderr } = await run.ended;
    expect(stderr).toContain(`stopped and saved; go on with: heed train --model ${path('watched')} --resume`);
    expect(status).toBe(130);
    for (const name of ['process.json', 'stop']) expect(existsSync(path(`watched/training/${name}`))).toBe(false);

    await reading;
    const messages = text.split('\n\n').map((message) => message.split('\ndata: '));
    const told = (name: string) => messages.filter(([event]) => event === `event: ${name}`).map(([, data]) => data);
    expect(told('training')).toEqual(linesOf('watched', 'events.jsonl'));
    expect(told('speed')).toEqual(linesOf('watched', 'speed.jsonl'));
    expect(told('state').at(0)).toMatch(/preparing|running/);
    expect(told('state').at(-1)).toBe('{"state":"stopped"}');

    // Beyond where it stopped, which may be long after what was known of it when it was told to.
    const { step } = JSON.parse(linesOf('watched', 'events.jsonl').at(-1) ?? '{}') as { step: number };
    const end = String(step + 60);
    expect((await train('watched', '--resume', '--steps', end, '--ui').ended).status).toBe(0);
    expect((await train('alone', ...recipe, '--steps', end).ended).status).toBe(0);
    expect(differences(path('watched'), path('alone'))).toEqual([]);
  }, 300_000);

  it('refuses a port that is taken, before anything else', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const port = String((taken.address() as AddressInfo).port);
    const { status, stderr } = await train('none', ...recipe, '--ui', '--ui-port', port).ended;
    taken.close();
    expect(stderr).toMatch(new RegExp(`^error: --ui-port: 127.0.0.1:${port}: another program listens there; .*\n$`));
    expect(status).toBe(1);
    expect(existsSync(path('none'))).toBe(false);
  });

  it('refuses a port without a page', async () => {
    const { status, stderr } = await train('none', ...recipe, '--ui-port', '8000').ended;
    expect(stderr).toBe('error: --ui-port: is the port of the page; give --ui too.\n');
    expect(status).toBe(1);
  });
});

describe('heed serve --run', () => {
  const serve = async (...args: string[]) => {
    const server = heed('serve', '--port', '0', ...args);
    return { ...server, address: await server.says(/listening on (\S+)/) };
  };

  it('sees runs of other processes go, die and come back, and stops them', async () => {
    const first = train('elsewhere', ...recipe, '--save-every', '1');
    const log = path('elsewhere/training/events.jsonl');
    await until(() => existsSync(log));
    const { child, address, ended } = await serve('--run', path('elsewhere'), '--allow-stop');
    const stateOf = async () => (await runsOf(address))[0].state;
    expect(await stateOf()).toBe('running');

    first.child.kill('SIGKILL');
    await first.ended;
    expect(await stateOf()).toBe('stopped');
    expect((await stop(address, 'elsewhere')).status).toBe(409);

    const second = train('elsewhere', '--resume');
    await until(async () => (await stateOf()) === 'running');
    expect((await stop(address, 'elsewhere')).status).toBe(200);
    expect(await stateOf()).toMatch(/stopping|stopped/);
    expect((await second.ended).status).toBe(130);
    expect(await stateOf()).toBe('stopped');

    child.kill('SIGINT');
    await ended;
  }, 300_000);

  it('stops nothing unless allowed, and reports what it cannot show', async () => {
    expect((await heed('serve', '--run', path('nowhere')).ended).stderr).toBe(
      `error: ${path('nowhere')}: holds no training run; give the folder that heed train --model was given.\n`,
    );
    expect((await heed('serve', '--allow-stop').ended).stderr).toBe(
      'error: --allow-stop: is about training runs; give --run too.\n',
    );
    const run = train('short', ...recipe);
    await until(() => existsSync(path('short/training/process.json')));
    const { address } = await serve('--run', path('short'));
    expect((await stop(address, 'short')).status).toBe(403);
    run.child.kill('SIGINT');
    expect((await run.ended).status).toBe(130);
  }, 300_000);
});
