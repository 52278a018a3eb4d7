// Atomic writes of files. Failing disks are simulated by a file system whose n-th operation fails.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { disk } from '../../test/failing-disk.ts';
import { writeFileAtomically } from './atomic.ts';

vi.mock('node:fs/promises', async (original) => {
  const { failing } = await import('../../test/failing-disk.ts');
  return failing(await original());
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heed-atomic-'));
});
afterEach(async () => {
  disk.repair();
  await rm(folder, { recursive: true });
});

describe('writeFileAtomically', () => {
  it('creates and replaces, texts and bytes', async () => {
    const path = join(folder, 'a.json');
    await writeFileAtomically(path, 'größe');
    expect(await readFile(path, 'utf8')).toBe('größe');
    await writeFileAtomically(path, Uint8Array.of(1, 0, 255));
    expect([...(await readFile(path))]).toEqual([1, 0, 255]);
    expect(await readdir(folder)).toEqual(['a.json']);
  });

  it('flushes the content before the rename, and the folder after it', async () => {
    disk.failAt(Number.POSITIVE_INFINITY, 'ENOSPC');
    await writeFileAtomically(join(folder, 'a.json'), 'new');
    expect(disk.operations).toEqual(['open', 'write', 'sync', 'close', 'rename', 'open', 'sync', 'close']);
  });

  const operations = ['open', 'write', 'sync', 'close', 'rename'];
  it.each(operations.map((name, index) => [name, index]))('changes nothing if %s fails', async (_, index) => {
    const path = join(folder, 'a.json');
    await writeFile(path, 'old');
    disk.failAt(Number(index), 'ENOSPC');
    const message = `${path}: cannot be written: the disk is full; free some space (ENOSPC).`;
    await expect(writeFileAtomically(path, 'new')).rejects.toThrow(message);
    disk.repair();
    expect(await readdir(folder)).toEqual(['a.json']);
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  it('works on disks that cannot flush folders, and reports those that fail to', async () => {
    const path = join(folder, 'a.json');
    disk.failAt(6, 'EINVAL');
    await writeFileAtomically(path, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
    disk.failAt(6, 'EIO');
    await expect(writeFileAtomically(path, 'new')).rejects.toThrow('the disk reports an error (EIO).');
  });

  it('reports what is wrong with a path', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const none = join(folder, 'none', 'a.json');
    const reason = 'there is no such file or folder (ENOENT).';
    await expect(writeFileAtomically(none, '')).rejects.toThrow(`${none}: cannot be written: ${reason}`);
    const inside = join(file, 'a.json');
    await expect(writeFileAtomically(inside, '')).rejects.toThrow(`${inside}: cannot be written: a part of the path`);
    await expect(writeFileAtomically(folder, '')).rejects.toThrow(`${folder}: cannot be written:`);
    expect(await readdir(folder)).toEqual(['file']);
  });

  it.each(['EACCES', 'EROFS', 'EDQUOT', 'EXYZ'])('names the cause %s', async (code) => {
    disk.failAt(0, code);
    await expect(writeFileAtomically(join(folder, 'a.json'), '')).rejects.toThrow(`(${code}).`);
  });

  it('rethrows errors that are not of the file system', async () => {
    disk.failAt(1, undefined);
    await expect(writeFileAtomically(join(folder, 'a.json'), '')).rejects.toThrow(TypeError);
    disk.repair();
    expect(await readdir(folder)).toEqual([]);
  });
});
