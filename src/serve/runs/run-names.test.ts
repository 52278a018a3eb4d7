import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRuns } from './run-names.ts';

const parent = mkdtempSync(join(tmpdir(), 'heed-run-names-'));
afterAll(() => rmSync(parent, { recursive: true }));

const [here, there] = [join(parent, 'a/run'), join(parent, 'b/run')];

beforeAll(() => {
  for (const folder of [here, there]) {
    mkdirSync(`${folder}/training`, { recursive: true });
    writeFileSync(`${folder}/training/run.json`, '{}');
  }
});

describe('parseRuns', () => {
  it('names runs by their folders, each once', () => {
    expect(parseRuns([here, there, `${here}/`])).toEqual([
      { name: 'run', folder: here },
      { name: 'run-2', folder: there },
    ]);
  });

  it('refuses a folder without a run', () => {
    const message = `${parent}: holds no training run; give the folder that heed train --model was given.`;
    expect(() => parseRuns([here, parent])).toThrow(message);
  });
});
