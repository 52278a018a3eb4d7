// heed train on a disk that fills up and on one that cannot be written: real ones, small file systems in memory, where the
// machine lets us mount them.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyTask } from '../src/data/index.ts';
import { loadModel } from '../src/model/node.ts';
import { differences } from './training-toy.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const parent = mkdtempSync(join(tmpdir(), 'heed-disk-'));
const path = (name: string) => join(parent, name);
const disk = path('disk');
mkdirSync(disk);
const canMount = mount('-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', disk);
if (!canMount) console.log('training-disk: mounting is refused here; full and read-only disks are not tried');

afterAll(() => {
  if (canMount) spawnSync('umount', [disk]);
  rmSync(parent, { recursive: true });
});

function mount(...args: string[]): boolean {
  return spawnSync('mount', args).status === 0;
}

const recipe = [
  ...['--source', path('text'), '--target', path('text'), '--merges', '0', '--max-tokens', '200', '--steps', '8'],
  ...['--d-model', '16', '--heads', '2', '--d-inner', '16', '--encoder-layers', '1', '--decoder-layers', '1'],
  ...['--validate-every', '1', '--average-last', '8', '--log-every', '1', '--threads', '1'],
];

function heed(...args: string[]) {
  return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
}

beforeAll(() => {
  const pairs = copyTask({ count: 300, seed: 1 });
  writeFileSync(path('text'), pairs.map(({ source }) => `${source}\n`).join(''));
});

describe.runIf(canMount)('heed train', () => {
  it('keeps the last good checkpoint when the disk is full, and continues when there is room', async () => {
    const folder = join(disk, 'model');
    const full = heed('train', '--model', folder, ...recipe);
    expect(full.stderr).toMatch(
      /error: .*disk\/model.*: cannot be written: the disk is full; free some space \(ENOSPC\)\.\n$/,
    );
    expect(full.status).toBe(1);
    expect(readdirSync(`${folder}/training`).filter((name) => name.endsWith('.partial'))).toEqual([]);
    expect((await loadModel(folder)).parameters.data.every(Number.isFinite)).toBe(true);

    expect(mount('-o', 'remount,size=20m', disk)).toBe(true);
    expect(heed('train', '--model', folder, '--resume').status).toBe(0);
    expect(heed('train', '--model', path('whole'), ...recipe).status).toBe(0);
    expect(differences(path('whole'), folder)).toEqual([]);
  });

  it('reports that a file system is read-only', () => {
    expect(mount('-o', 'remount,ro', disk)).toBe(true);
    const { status, stderr } = heed('train', '--model', join(disk, 'new'), ...recipe);
    expect(stderr).toContain('cannot be made: the file system is read-only (EROFS).');
    expect(status).toBe(1);
  });
});

describe('heed train', () => {
  it('names a path that cannot be a folder', () => {
    const { status, stderr } = heed('train', '--model', join(path('text'), 'model'), ...recipe);
    expect(stderr).toContain('a part of the path is a file, not a folder (ENOTDIR)');
    expect(status).toBe(1);
  });

  it('names a file that it cannot write', () => {
    const folder = path('blocked');
    mkdirSync(join(folder, 'training', 'last.safetensors', 'in-the-way'), { recursive: true });
    const { status, stderr } = heed('train', '--model', folder, ...recipe);
    expect(stderr).toContain('last.safetensors: cannot be read: it is a folder, not a file (EISDIR).');
    expect(status).toBe(1);
  });
});
