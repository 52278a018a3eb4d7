// Model folders: saved and loaded, damaged, and saved by processes that are killed at any operation.

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { disk } from '../../test/failing-disk.ts';
import { smallModel } from '../../test/small-model.ts';
import { isHeedError } from '../base/error.ts';
import { loadModel, saveModel } from './folder.ts';
import { formatModel } from './model-files.ts';
import type { StoredModel } from './stored-model.ts';

vi.mock('node:fs/promises', async (original) => {
  const { failing } = await import('../../test/failing-disk.ts');
  return failing(await original());
});

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'heed-model-'));
  folder = join(parent, 'models', 'en-de');
});
afterEach(async () => {
  disk.repair();
  await rm(parent, { recursive: true });
});

const first = smallModel();
const trainedOn = smallModel({ seed: 2 });
const another = smallModel({ seed: 3, separate: true, dModel: 4 });

/** A digest of everything that translations depend on: equal for equal models only. */
function summary(model: StoredModel): string {
  const { config, weights, tokenizers } = formatModel(model);
  const texts = JSON.stringify([JSON.parse(config).architecture, tokenizers]);
  return createHash('sha256').update(texts).update(weights).digest('hex');
}

/** The result of loading: a model's digest, or the error message. */
async function outcome(): Promise<string> {
  try {
    return summary(await loadModel(folder));
  } catch (error) {
    if (isHeedError(error)) return error.message;
    throw error;
  }
}

describe('saveModel and loadModel', () => {
  it('give a model back from a folder that save made', async () => {
    await saveModel(folder, first, { card: '# A card\n' });
    const model = await loadModel(folder);
    expect(summary(model)).toBe(summary(first));
    expect(model.generation).toEqual(first.generation);
    expect(model.training).toEqual(first.training);
    const names = ['README.md', 'config.json', 'generation.json', 'model.safetensors', 'tokenizer.json'];
    expect((await readdir(folder)).sort()).toEqual(names);
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe('# A card\n');
  });

  it('replace a model by one of another kind, and keep other files', async () => {
    await saveModel(folder, first, { card: '# A card\n' });
    await mkdir(join(folder, 'training'));
    await saveModel(folder, another);
    expect(summary(await loadModel(folder))).toBe(summary(another));
    const kept = ['README.md', 'config.json', 'generation.json', 'model.safetensors'];
    const names = [...kept, 'tokenizer.source.json', 'tokenizer.target.json', 'training'];
    expect((await readdir(folder)).sort()).toEqual(names);
    await saveModel(folder, first);
    expect(summary(await loadModel(folder))).toBe(summary(first));
  });

  it('write nothing on load', async () => {
    await saveModel(folder, first);
    const before = await stat(folder);
    disk.failAt(0, 'EROFS');
    await loadModel(folder);
    expect(disk.operations).toEqual([]);
    expect((await stat(folder)).mtimeMs).toBe(before.mtimeMs);
  });

  it('read JSON that an editor saved with a byte order mark', async () => {
    await saveModel(folder, first);
    const path = join(folder, 'generation.json');
    await writeFile(path, `\uFEFF${await readFile(path, 'utf8')}`);
    expect((await loadModel(folder)).generation).toEqual(first.generation);
  });

  it('remove the temporary files of a killed save only', async () => {
    await saveModel(folder, first);
    disk.killAt(2);
    await expect(saveModel(folder, trainedOn)).rejects.toThrow();
    disk.repair();
    const leftover = /^\.model\.safetensors\.[0-9a-f]{8}\.partial$/;
    expect((await readdir(folder)).filter((name) => leftover.test(name))).toHaveLength(1);
    await writeFile(join(folder, '.mine.partial'), '');
    await saveModel(folder, trainedOn);
    const names = ['.mine.partial', 'config.json', 'generation.json', 'model.safetensors', 'tokenizer.json'];
    expect((await readdir(folder)).sort()).toEqual(names);
  });
});

describe('a save that fails', () => {
  const lost = /en-de: (has model\.safetensors but|is not a model folder: it has) no config\.json/;

  /** Saves with a failure at each operation in turn; returns what a reader finds after each. */
  async function outcomes(old: StoredModel | undefined, next: StoredModel, fail: (n: number) => void) {
    const found: string[] = [];
    for (let n = 0; ; n++) {
      await rm(folder, { recursive: true, force: true });
      if (old !== undefined) await saveModel(folder, old);
      else await mkdir(folder, { recursive: true });
      fail(n);
      const failed = await saveModel(folder, next).then(
        () => false,
        (error) => isHeedError(error) || Promise.reject(error),
      );
      disk.repair();
      found.push(await outcome());
      if (!failed) return found;
    }
  }

  const kill = (n: number) => disk.killAt(n);
  const fillUp = (n: number) => disk.failAt(n, 'ENOSPC');

  it.each([
    ['killed', kill],
    ['without space', fillUp],
  ])('leaves no model or the complete one in a new folder: %s', async (_, fail) => {
    const found = await outcomes(undefined, first, fail);
    expect(found.length).toBeGreaterThan(20);
    for (const one of found) expect(one === summary(first) || lost.test(one)).toBe(true);
    expect(found.at(-1)).toBe(summary(first));
  });

  it.each([
    ['killed', kill],
    ['without space', fillUp],
  ])('leaves the old weights or the new ones of the same architecture: %s', async (_, fail) => {
    const found = await outcomes(first, trainedOn, fail);
    expect(found.length).toBeGreaterThan(20);
    for (const one of found) expect([summary(first), summary(trainedOn)]).toContain(one);
    expect(found[0]).toBe(summary(first));
    expect(found.at(-1)).toBe(summary(trainedOn));
  });

  it.each([
    ['killed', kill],
    ['without space', fillUp],
  ])('never mixes two models: %s', async (_, fail) => {
    const found = await outcomes(first, another, fail);
    const whole = [summary(first), summary(another)];
    for (const one of found) expect(whole.includes(one) || lost.test(one)).toBe(true);
    expect(found.at(-1)).toBe(summary(another));
  });

  it('leaves the old model and no temporary file when the disk is full', async () => {
    await saveModel(folder, first);
    const names = await readdir(folder);
    for (const n of [0, 1, 5, 9]) {
      disk.failAt(n, 'ENOSPC');
      await expect(saveModel(folder, another)).rejects.toThrow('cannot be written: the disk is full');
      disk.repair();
      expect(await readdir(folder)).toEqual(names);
      expect(summary(await loadModel(folder))).toBe(summary(first));
    }
  });

  it('names the folder and the cause', async () => {
    await writeFile(join(parent, 'file'), '');
    const inFile = join(parent, 'file', 'model');
    const message = `${inFile}: cannot be used as a model folder: a part of the path is a file, not a folder (ENOTDIR).`;
    await expect(saveModel(inFile, first)).rejects.toThrow(message);
    disk.failAt(20, 'EIO');
    const flushing = `${folder}: cannot be changed: the disk reports an error (EIO).`;
    await expect(saveModel(folder, first)).rejects.toThrow(flushing);
  });

  it('names a file of the folder that cannot be read', async () => {
    await mkdir(join(folder, 'tokenizer.json'), { recursive: true });
    const message = `${join(folder, 'tokenizer.json')}: cannot be read: it is a folder, not a file (EISDIR).`;
    await expect(saveModel(folder, first)).rejects.toThrow(message);
  });

  it('replaces a config.json that is damaged', async () => {
    await saveModel(folder, first);
    await writeFile(join(folder, 'config.json'), '{');
    await saveModel(folder, first);
    expect(await outcome()).toBe(summary(first));
  });
});

describe('loadModel refuses', () => {
  it('a path that does not exist or is not a folder', async () => {
    const missing = 'cannot be read as a model folder: there is no such file or folder (ENOENT).';
    await expect(loadModel(folder)).rejects.toThrow(`${folder}: ${missing}`);
    const file = join(parent, 'file');
    await writeFile(file, '');
    const none = 'cannot be read as a model folder: a part of the path is a file, not a folder (ENOTDIR).';
    await expect(loadModel(file)).rejects.toThrow(`${file}: ${none}`);
  });

  it('a folder without a model', async () => {
    await expect(loadModel(parent)).rejects.toThrow(`${parent}: is not a model folder: it has no config.json.`);
  });

  it.each([
    ['config.json', 'has model.safetensors but no config.json: a save was cut short or the file was lost'],
    ['model.safetensors', 'has no model.safetensors; copy the whole model folder.'],
    [
      'tokenizer.json',
      'needs tokenizer.json, or both tokenizer.source.json and tokenizer.target.json, got none of them',
    ],
  ])('a folder without %s', async (name, message) => {
    await saveModel(folder, first);
    await rm(join(folder, name));
    await expect(loadModel(folder)).rejects.toThrow(`${folder}: ${message}`);
  });

  it('an incomplete pair of tokenizers, and more than one kind', async () => {
    await saveModel(folder, another);
    await writeFile(join(folder, 'tokenizer.json'), '{}');
    const all = 'got tokenizer.json and tokenizer.source.json and tokenizer.target.json; copy';
    await expect(loadModel(folder)).rejects.toThrow(all);
    await rm(join(folder, 'tokenizer.json'));
    await rm(join(folder, 'tokenizer.target.json'));
    await expect(loadModel(folder)).rejects.toThrow('got tokenizer.source.json; copy the whole model folder.');
  });

  it('a damaged file, naming its path', async () => {
    await saveModel(folder, first);
    const path = join(folder, 'model.safetensors');
    await writeFile(path, (await readFile(path)).subarray(0, 500));
    await expect(loadModel(folder)).rejects.toThrow(`${path}: is cut off: `);
  });
});
