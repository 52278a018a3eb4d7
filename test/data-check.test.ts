// heed data check: what it reports of a corpus with every kind of fault, and the cleaned pair it writes.

import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../src/base/random.ts';
import { addDataCommand } from '../src/cli/commands/data-check.ts';
import type { CheckReport } from '../src/cli/print/data-check-report.ts';
import { runCommand } from './run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'heed-data-check-'));
const path = (name: string) => join(folder, name);

function write(name: string, lines: readonly string[]): void {
  writeFileSync(path(name), lines.map((line) => `${line}\n`).join(''));
}

function check(source: string, target: string, ...flags: string[]) {
  return runCommand(addDataCommand, ['data', 'check', '--source', path(source), '--target', path(target), ...flags]);
}

/** 300 pairs of English-looking and Russian-looking text. */
const random = Random.of(5);
const soundPairs = Array.from({ length: 300 }, () => {
  const words = Array.from({ length: 3 + random.integer(20) }, () => random.integer(1000));
  return [words.map((word) => `word${word}`).join(' '), words.map((word) => `слово${word}`).join(' ')] as const;
});

/** Lines counted from 1, with something wrong in each. */
const faults: Readonly<Record<number, readonly [source: string, target: string]>> = {
  3: ['', 'слово'],
  5: [' ', ''],
  7: ['M\uFFFDnchen', 'Мюнхен'],
  8: [`${'word '.repeat(30)}\u0085end of a line`, 'слово '.repeat(32).trimEnd()],
  9: ['12:30', '12:30'],
  11: soundPairs[0],
  12: ['a few words', 'много слов '.repeat(30).trimEnd()],
  13: ['word1 word2', 'word1 word3'],
  14: ['', 'и ещё'],
  15: ['\t', 'и снова'],
  16: ['', 'и опять'],
};
const pairs = soundPairs.map((pair, index) => faults[index + 1] ?? pair);
const kept = soundPairs.filter((_, index) => faults[index + 1] === undefined);

beforeAll(() => {
  write(
    'a.en',
    pairs.map(([source]) => source),
  );
  write(
    'a.ru',
    pairs.map(([, target]) => target),
  );
  write(
    'sound.en',
    kept.map(([source]) => source),
  );
  write(
    'sound.ru',
    kept.map(([, target]) => target),
  );
});

afterEach(() => {
  process.exitCode = undefined;
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('the report', () => {
  it('has counts, and examples with their lines', async () => {
    const { stdout } = await check('a.en', 'a.ru');
    expect(stdout.split('\n')).toEqual([
      '300 pairs; script of the sources Latin, of the targets Cyrillic',
      'blank on one side: 4',
      '  line 3: “” | “слово”',
      '  line 14: “” | “и ещё”',
      '  line 15: “\\u{9}” | “и снова”',
      'blank on both sides: 1',
      '  line 5: “ ” | “”',
      'not UTF-8: 1',
      '  line 7: “M\uFFFDnchen” | “Мюнхен”',
      'control characters: 1',
      `  line 8: “…${'word '.repeat(4)}\\u{85}end of a line” | “${'слово '.repeat(10)}…”`,
      'source equals target: 1',
      '  line 9: “12:30” | “12:30”',
      'duplicate: 1',
      `  line 11: “${start(soundPairs[0][0])}” | “${start(soundPairs[0][1])}”`,
      'unusual length ratio: 1',
      `  line 12: “a few words” | “${start('много слов '.repeat(30))}”`,
      'wrong script: 1',
      '  line 13: “word1 word2” | “word1 word3”',
      '289 pairs without a finding',
      '',
    ]);
  });

  function start(text: string): string {
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
  }

  it('is JSON with all lines on request', async () => {
    const { stdout } = await check('a.en', 'a.ru', '--json', '--examples', '1');
    const report = JSON.parse(stdout) as CheckReport;
    expect(report).toMatchObject({
      pairs: 300,
      soundPairs: 289,
      scripts: { source: 'Latin', target: 'Cyrillic' },
      shiftedBlocks: [],
    });
    expect(report.findings[0]).toEqual({
      finding: 'blank on one side',
      lines: [3, 14, 15, 16],
      examples: [{ line: 3, source: '', target: 'слово' }],
    });
  });

  it('names shifted blocks with their offset', async () => {
    const sources = soundPairs.map(([source]) => source);
    const targets = soundPairs.map(([, target]) => target);
    // Of source line 101 the translation is lost, so that those behind it stand a line further up, until one is added.
    write('shifted.en', sources);
    write('shifted.ru', [...targets.slice(0, 100), ...targets.slice(101, 200), 'лишняя строка', ...targets.slice(200)]);
    const { stdout } = await check('shifted.en', 'shifted.ru', '--json');
    const { shiftedBlocks, findings } = JSON.parse(stdout) as CheckReport;
    expect(shiftedBlocks).toHaveLength(1);
    const [{ firstLine, lastLine, offset }] = shiftedBlocks;
    expect(offset).toBe(-1);
    expect(Math.abs(firstLine - 102)).toBeLessThan(5);
    expect(Math.abs(lastLine - 200)).toBeLessThan(5);
    expect(findings.find(({ finding }) => finding === 'shifted')?.lines).toHaveLength(lastLine - firstLine + 1);
    const text = await check('shifted.en', 'shifted.ru');
    expect(text.stdout).toContain(`  lines ${firstLine} to ${lastLine}: the translations stand 1 line further up\n`);
  });
});

describe('the exit code', () => {
  it('is 0 with any findings, and 1 with --strict', async () => {
    await check('a.en', 'a.ru');
    expect(process.exitCode).toBeUndefined();
    await check('sound.en', 'sound.ru', '--strict');
    expect(process.exitCode).toBeUndefined();
    await check('a.en', 'a.ru', '--strict');
    expect(process.exitCode).toBe(1);
  });
});

describe('--output', () => {
  const read = (name: string) => readFileSync(path(name), 'utf8');

  it('writes the pairs without a finding, line by line', async () => {
    const { stderr } = await check('a.en', 'a.ru', '--output', path('clean'));
    expect(read('clean.en')).toBe(read('sound.en'));
    expect(read('clean.ru')).toBe(read('sound.ru'));
    expect(stderr).toContain(`289 pairs without a finding are in ${path('clean.en')} and ${path('clean.ru')}`);
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
    const again = await check('clean.en', 'clean.ru', '--strict');
    expect(again.stdout).toContain('289 pairs without a finding\n');
    expect(process.exitCode).toBeUndefined();
  });

  it('names the sides source and target if the inputs have no distinct extensions', async () => {
    write(
      'one',
      kept.map(([source]) => source),
    );
    write(
      'two',
      kept.map(([, target]) => target),
    );
    await check('one', 'two', '--output', path('plain'));
    expect(read('plain.source')).toBe(read('one'));
    expect(read('plain.target')).toBe(read('two'));
  });

  it('never writes over an input, nor over one by another name', async () => {
    const before = read('a.en');
    await expect(check('a.en', 'a.ru', '--output', path('a'))).rejects.toThrow(
      `--output: must not write over an input, got ${path('a.en')}; choose another prefix.`,
    );
    linkSync(path('a.ru'), path('link.ru'));
    await expect(check('a.en', 'a.ru', '--output', path('link'))).rejects.toThrow(path('link.ru'));
    expect(read('a.en')).toBe(before);
  });

  it('names the file that cannot be written', async () => {
    await expect(check('a.en', 'a.ru', '--output', path('nowhere/clean'))).rejects.toThrow('cannot be written');
  });
});

it('refuses missing and unequal files, and invalid numbers', async () => {
  write('short.ru', ['слово']);
  await expect(check('a.en', 'missing')).rejects.toThrow('no such file');
  await expect(check('a.en', 'short.ru')).rejects.toThrow('got 1 and 300; look for a lost or split line.');
  await expect(check('a.en', 'a.ru', '--examples', '1.5')).rejects.toThrow('data check: examples: ');
});
