// Models and a stopped run made by heed 0.1 (test/fixtures/v0.1, written by tools/golden/v0.1.mjs): they load, give the
// same translations and scores to the last printed digit, and the run goes on to the same bytes. The engine adds up in another order
// on processors with other vector instructions than those that expected.json names: there numbers are compared with a tolerance,
// and the run must come to its end.

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addQuantizeCommand } from '../src/cli/commands/quantize.ts';
import { addScoreCommand } from '../src/cli/commands/score.ts';
import { addTrainCommand } from '../src/cli/commands/train.ts';
import { addTranslateCommand } from '../src/cli/commands/translate.ts';
import { runCommand } from './run-command.ts';

interface Scored {
  readonly text: string;
  readonly score: number;
}

/** By the kind of decoding: for each line its translations, best first; and log-probabilities of given translations. */
interface Translations {
  readonly greedy: Scored[][];
  readonly beam4: Scored[][];
  readonly nBest: Scored[][];
  readonly scores: number[][];
}

interface Expected {
  readonly madeBy: { readonly vectorInstructions: string };
  readonly translations: Record<string, Translations>;
  readonly resumed: Record<'model.safetensors' | 'training/events.jsonl', string>;
}

/** Decimals to which numbers must agree on another processor; int8 turns small differences into whole steps. */
const digits = (name: string) => (name.includes('int8') ? 1 : 3);

const fixtures = fileURLToPath(new URL('fixtures/v0.1', import.meta.url));
const expected: Expected = JSON.parse(readFileSync(`${fixtures}/expected.json`, 'utf8'));
const isSameArithmetic = vectorInstructions() === expected.madeBy.vectorInstructions;
const temporary = mkdtempSync(join(tmpdir(), 'heed-v0.1-'));
const startedIn = process.cwd();
beforeAll(() => process.chdir(fixtures)); // the run names its text files from here
afterAll(() => {
  process.chdir(startedIn);
  rmSync(temporary, { recursive: true });
});

describe.each(Object.entries(expected.translations))('a model of 0.1: %s', (name, translations) => {
  const [models, language] = name.split(' → ');
  const options = ['--model', ...models.split(' '), '--to', language, '--threads', 1, '--format', 'jsonl'];

  it.each([
    ['greedy', ['--beam', 1]],
    ['beam4', ['--beam', 4]],
    ['nBest', ['--beam', 4, '--n-best', 3]],
  ] as const)('translates as before: %s', async (decoding, chosen) => {
    const args = ['translate', '--input', 'text/test.en', ...chosen, ...options];
    const { stdout } = await runCommand(addTranslateCommand, args);
    const got = records<{ translations: Scored[] }>(stdout).map(({ translations }) => translations);
    if (isSameArithmetic) expect(got).toMatchObject(translations[decoding]);
    else
      expectClose(
        got.flat().map(({ score }) => score),
        translations[decoding].flat().map(({ score }) => score),
        name,
      );
  });

  it('scores as before', async () => {
    const args = ['score', '--source', 'text/test.en', '--target', `text/test.${language}`, ...options];
    const { stdout } = await runCommand(addScoreCommand, args);
    const got = records<{ logProbabilities: number[] }>(stdout).map(({ logProbabilities }) => logProbabilities);
    if (isSameArithmetic) expect(got).toEqual(translations.scores);
    else expectClose(got.flat(), translations.scores.flat(), name);
  });
});

it('the same model of 0.1 becomes the same int8 model', async () => {
  const folder = join(temporary, 'int8');
  await runCommand(addQuantizeCommand, ['quantize', '--model', 'paper', '--output', folder]);
  expect(sha256(`${folder}/model.safetensors`)).toBe(sha256('paper-int8/model.safetensors'));
});

describe('a run that 0.1 stopped', () => {
  it.each([
    ['as it was left', () => {}],
    ['without its encoded corpus', removeCache],
  ])('is resumed to the same end as by 0.1: %s', async (name, change) => {
    const folder = join(temporary, name);
    cpSync('stopped-run', folder, { recursive: true });
    change(folder);
    await runCommand(addTrainCommand, ['train', '--model', folder, '--resume']);
    expect(readFileSync(`${folder}/training/events.jsonl`, 'utf8')).toContain('"kind":"stop","step":48,');
    if (!isSameArithmetic) return;
    for (const [file, hash] of Object.entries(expected.resumed)) expect(sha256(`${folder}/${file}`), file).toBe(hash);
  });
});

function expectClose(got: readonly number[], wanted: readonly number[], name: string): void {
  expect(got).toHaveLength(wanted.length);
  for (const [i, value] of got.entries()) expect(value).toBeCloseTo(wanted[i], digits(name));
}

/** As tools/golden/v0.1.mjs writes them; empty where the system does not tell. */
function vectorInstructions(): string {
  if (!existsSync('/proc/cpuinfo')) return '';
  const [, flags = ''] = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? [];
  return [...new Set(flags.split(' ').filter((flag) => /^(avx|amx|fma)/.test(flag)))].sort().join(' ');
}

function records<T>(lines: string): T[] {
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function removeCache(folder: string): void {
  const caches = readdirSync(`${folder}/training`).filter((name) => name.startsWith('cache-'));
  expect(caches).toHaveLength(1);
  rmSync(`${folder}/training/${caches[0]}`, { recursive: true });
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
