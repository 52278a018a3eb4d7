import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fileHash, textHash } from './hash.ts';

const folder = mkdtempSync(join(tmpdir(), 'heed-hash-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('fileHash', () => {
  it('is SHA-256 of the bytes, as sha256sum prints it', async () => {
    const path = join(folder, 'abc');
    writeFileSync(path, 'abc');
    expect(await fileHash(path)).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    writeFileSync(path, 'abc\n');
    expect(await fileHash(path)).not.toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('names a file that cannot be read', async () => {
    await expect(fileHash(join(folder, 'none'))).rejects.toThrow(
      `${join(folder, 'none')}: no such file; check the path.`,
    );
    await expect(fileHash(folder)).rejects.toThrow(`${folder}: must be a file, got a directory.`);
  });
});

describe('textHash', () => {
  it('distinguishes where texts end', () => {
    expect(textHash('ab', 'c')).toBe(textHash('ab', 'c'));
    const others = [textHash('a', 'bc'), textHash('abc'), textHash('ab', 'c', '')];
    for (const other of others) expect(other).not.toBe(textHash('ab', 'c'));
  });
});
