// heed serve as a process: it reports its address, refuses invalid settings, and shuts down cleanly.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SmallModels } from './small-server.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const models = new SmallModels();
beforeAll(() => models.save());
afterAll(() => models.remove());

function heed(...args: string[]): ChildProcess {
  return spawn(process.execPath, [main, 'serve', '--workers', '1', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
}

async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stderr! })) {
    const address = line.match(/^listening on (http:\S+)$/)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('it ended before it listened');
}

async function refusalOf(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const child = heed(...args);
  const lines: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => lines.push(line));
  const [code] = await once(child, 'close');
  return { code, lines };
}

describe('heed serve', () => {
  it('serves until it gets a signal, and refuses a port in use', async () => {
    const child = heed('--model', `en-de=${models.path('named')}`, '--port', '0');
    const address = await addressOf(child);
    expect(new URL(address).hostname).toBe('127.0.0.1');
    expect(await (await fetch(`${address}/health`)).json()).toEqual({ status: 'ok' });
    const second = await refusalOf('--model', models.path('tagged'), '--port', new URL(address).port);
    expect(second.lines).toEqual([expect.stringContaining('another program listens there; choose another --port.')]);
    expect(second.code).toBe(1);
    child.stderr!.resume();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([
    [['--model', '/nowhere/model'], '/nowhere/model: cannot be read as a model folder'],
    [['--model', 'm', '--port', '70000'], 'serve: port:'],
    [['--model', 'm', '--api-keys', '/nowhere/keys'], '/nowhere/keys: cannot be read'],
  ])('refuses %j', async (args, message) => {
    const { code, lines } = await refusalOf(...args);
    expect(lines).toEqual([expect.stringContaining(message)]);
    expect(code).toBe(1);
  });
});
