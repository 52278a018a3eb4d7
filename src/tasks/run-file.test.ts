import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseOptions } from '../base/options.ts';
import { learnTokenizer } from '../text/index.ts';
import { checkSameData, type DataHash, readRun, resumedRecipe, runName, writeRun } from './run-file.ts';
import { translation } from './translation/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'heed-run-'));
mkdirSync(join(folder, 'training'));
afterAll(() => rmSync(folder, { recursive: true }));

const recipe = parseOptions(translation.recipe, { source: 'a', target: 'b', steps: 10, dropout: 0.3 }, 'test');
const data: DataHash[] = [
  { role: 'source file', path: 'a', sha256: '1'.repeat(64) },
  { role: 'target file', path: 'b', sha256: '2'.repeat(64) },
];
const [english, german] = ['a dog', 'ein Hund'].map((line) => learnTokenizer([line, line], { merges: 5 }));

describe('the record of a run', () => {
  it.each([
    ['one tokenizer', { source: english, target: english }],
    ['two', { source: english, target: german }],
  ])('comes back with %s', async (_, tokenizers) => {
    const name = runName(translation, { recipe, data, tokenizers });
    const run = { task: 'translate', name, recipe, data, tokenizers };
    await writeRun(folder, run);
    const read = await readRun(folder);
    expect(read?.recipe).toEqual(recipe);
    expect(read?.data).toEqual(data);
    expect(JSON.stringify(read?.tokenizers)).toBe(JSON.stringify(tokenizers));
    expect(read?.tokenizers.source === read?.tokenizers.target).toBe(tokenizers.source === tokenizers.target);
    expect(read?.task).toBe('translate');
    expect(read?.name).toBe(name);
    expect(read && runName(translation, read)).toBe(name);
  });

  it('is undefined where there is none', async () => {
    expect(await readRun(join(folder, 'none'))).toBeUndefined();
  });

  it('refuses a damaged file and another version', async () => {
    const path = join(folder, 'training', 'run.json');
    writeFileSync(path, '{"version": 1, "rec');
    await expect(readRun(folder)).rejects.toThrow(`${folder}/training/run.json: is damaged: it is not JSON; start`);
    writeFileSync(path, '{"version": 2}');
    const message = 'was written by another version of heed (version 2, this one reads 1); use that one.';
    await expect(readRun(folder)).rejects.toThrow(message);
  });
});

describe('resumedRecipe', () => {
  const resumed = (given: Record<string, unknown>) =>
    resumedRecipe(translation, { stored: recipe, given, place: 'run.json' });

  it('takes what may change, and paths that moved', () => {
    const given = { steps: 20, epochs: 3, patience: 2, threads: 1, saveEvery: 5, source: 'moved', dropout: 0.3 };
    expect(resumed(given)).toEqual({ ...recipe, ...given });
    expect(resumed({})).toEqual(recipe);
  });

  it.each([
    [{ dropout: 0.1 }, '--dropout must stay what the run began with, 0.3, got 0.1; leave it out, or start a new run'],
    [{ logEvery: 7 }, '--log-every must stay what the run began with, 50, got 7;'],
    [{ dKey: 7 }, '--d-key must stay what the run began with, not given, got 7;'],
    [{ vocabulary: 'separate' }, '--vocabulary must stay what the run began with, "joint", got "separate";'],
  ])('refuses %j', (given, message) => {
    expect(() => resumed(given)).toThrow(`train: ${message}`);
  });
});

describe('checkSameData', () => {
  it('goes by content, not by name', () => {
    expect(() => checkSameData(data, [{ ...data[0], path: 'elsewhere' }, data[1]])).not.toThrow();
  });

  it('names the file that differs', () => {
    const other = [data[0], { ...data[1], path: 'c', sha256: '3'.repeat(64) }];
    const message = `c: is not the target file that this run began with (b, SHA-256 222222222222…, got 333333333333…); give`;
    expect(() => checkSameData(data, other)).toThrow(message);
  });

  it('names what is there on one side only', () => {
    expect(() => checkSameData(data, data.slice(0, 1))).toThrow(
      'train: a run must go on with the files it began with, source file, target file, got source file; start a new run',
    );
  });
});

describe('runName', () => {
  it('depends on all that may not change, and on nothing else', () => {
    const tokenizers = { source: english, target: english };
    const name = runName(translation, { recipe, data, tokenizers });
    expect(runName(translation, { recipe: { ...recipe, steps: 99, source: 'moved' }, data, tokenizers })).toBe(name);
    const others = [
      { recipe: { ...recipe, seed: 2 }, data, tokenizers },
      { recipe, data: [data[0], { ...data[1], sha256: '3'.repeat(64) }], tokenizers },
      { recipe, data, tokenizers: { source: english, target: german } },
    ];
    for (const other of others) expect(runName(translation, other)).not.toBe(name);
  });
});
