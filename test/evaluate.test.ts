// heed evaluate prints exactly what sacreBLEU's command line prints, and refuses invalid options.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addEvaluateCommand } from '../src/cli/commands/evaluate.ts';
import { runCommand } from './run-command.ts';

interface Case {
  readonly references: readonly string[];
  readonly flags: readonly string[];
  readonly output: string;
}

interface Golden {
  readonly sacrebleu: string;
  readonly files: Readonly<Record<string, readonly string[]>>;
  readonly cases: readonly Case[];
  readonly paired: Case;
}

/** The JSON of a paired test for each metric. */
interface Result {
  score: number;
  signature?: string;
}

const golden = JSON.parse(readFileSync(new URL('golden/evaluate-cli.json', import.meta.url), 'utf8')) as Golden;
const folder = mkdtempSync(join(tmpdir(), 'heed-evaluate-'));
const path = (name: string) => join(folder, name);

function write(name: string, lines: readonly string[]): string {
  writeFileSync(path(name), lines.map((line) => `${line}\n`).join(''));
  return path(name);
}

function evaluate(references: readonly string[], hypothesis: string, ...flags: string[]) {
  const files = ['--reference', ...references.map(path), '--hypothesis', hypothesis === '-' ? '-' : path(hypothesis)];
  return runCommand(addEvaluateCommand, ['evaluate', ...files, ...flags]);
}

beforeAll(() => {
  for (const [name, lines] of Object.entries(golden.files)) write(name, lines);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("the exact output of sacreBLEU's command line", () => {
  for (const { references, flags, output } of golden.cases) {
    it(`${references.length} references ${flags.join(' ')}`, async () => {
      const { stdout, stderr } = await evaluate(references, 'hypothesis', ...flags);
      expect(stdout).toBe(output);
      expect(stderr).toBe('');
    });
  }

  it('reads the translations from standard input', async () => {
    const [{ references, flags, output }] = golden.cases;
    const input = vi.spyOn(process, 'stdin', 'get');
    const bytes = readFileSync(path('hypothesis'));
    input.mockReturnValue(Object.assign(Readable.from([bytes]), { fd: 0 as const }) as typeof process.stdin);
    try {
      expect((await evaluate(references, '-', ...flags)).stdout).toBe(output);
      input.mockReturnValue(Object.assign(Readable.from([]), { fd: 0 as const }) as typeof process.stdin);
      await expect(evaluate(references, '-')).rejects.toThrow('standard input: must have at least one line');
    } finally {
      input.mockRestore();
    }
  });
});

describe('a second system', () => {
  it("is compared as in sacreBLEU's paired test, with signatures added", async () => {
    const { references, flags, output } = golden.paired;
    const { stdout } = await evaluate(references, 'hypothesis', '--baseline', path('other'), ...flags);
    const expected = JSON.parse(output) as Record<string, Result>[];
    const got = JSON.parse(stdout) as Record<string, Result>[];
    expect(got.map(({ system }) => String(system).replaceAll(`${folder}/`, ''))).toEqual([
      'Baseline: other',
      'hypothesis',
    ]);
    for (const [index, record] of got.entries()) {
      expect(Object.keys(record)).toEqual(Object.keys(expected[index]));
      for (const metric of ['BLEU', 'TER']) {
        const { score, signature, ...rest } = record[metric];
        const { score: theirScore, ...theirRest } = expected[index][metric];
        expect(score).toBeCloseTo(theirScore, 9);
        expect(rest).toEqual(theirRest);
        expect(signature).toMatch(/^nrefs:1\|ar:300\|seed:12345\|case:.*\|version:2\.6\.0$/);
      }
    }
    expect(stdout).toMatch(/^\[\n {4}\{\n {8}"system": "Baseline: /);
  });

  it('is summarised in words', async () => {
    const lines = Array.from({ length: 50 }, (_, i) => `a line of text number ${i}`);
    write('right', lines);
    write(
      'wrong',
      lines.map((line) => line.replace('line of', 'row in')),
    );
    const compare = (baseline: string, ...flags: string[]) =>
      evaluate(['right'], 'right', '--baseline', path(baseline), '--metric', 'exact', ...flags);
    const { stdout } = await compare('wrong', '--seed', '7', '--trials', '100');
    expect(stdout).toContain(`baseline ${path('wrong')}: EM|nrefs:1|bs:100|seed:7|case:mixed|ref:any = 0.0 (`);
    expect(stdout).toContain(`system ${path('right')}: EM|nrefs:1|bs:100|seed:7|case:mixed|ref:any = 100.0 (`);
    expect(stdout).toContain('EM: p = 0.0099, a significant difference at 0.05\n');
    expect((await compare('right')).stdout).toContain('EM: p = 1.0000, no significant difference at 0.05\n');
  });
});

describe('error rates', () => {
  const source = ['route', 'read', 'route', 'tomato'];
  const reference = ['R UW T', 'R IY D', 'R AW T', 'T AH M EY T OW'];

  it('count several lines of the same source as one item with several references', async () => {
    write('source', source);
    write('pronunciations', reference);
    write('guesses', ['R AW T', 'R EH D', 'R AW T', 't ah m ey t ow']);
    const flags = ['--source', path('source'), '--metric', 'wer,per,cer,exact'];
    expect((await evaluate(['pronunciations'], 'guesses', ...flags)).stdout.split('\n')).toEqual([
      '     WER|nrefs:var|case:mixed|unit:word|ref:nearest = 58.3 (errors = 7 ref_len = 12)',
      '  PER|nrefs:var|case:mixed|unit:phoneme|ref:nearest = 58.3 (errors = 7 ref_len = 12)',
      'CER|nrefs:var|case:mixed|unit:character|ref:nearest = 42.3 (errors = 11 ref_len = 26)',
      '                    EM|nrefs:var|case:mixed|ref:any = 33.3 (matches = 1 lines = 3 wrong = 66.7)',
      '',
    ]);
    const lowercase = await evaluate(['pronunciations'], 'guesses', ...flags.slice(0, 3), 'exact', '--lowercase');
    expect(lowercase.stdout).toBe('EM|nrefs:var|case:lc|ref:any = 66.7 (matches = 2 lines = 3 wrong = 33.3)\n');
  });

  it('refuse two translations of the same source', async () => {
    write('doubtful', ['R AW T', 'R IY D', 'R UW T', 'T AH M EY T OW']);
    await expect(
      evaluate(['pronunciations'], 'doubtful', '--source', path('source'), '--metric', 'exact'),
    ).rejects.toThrow('--source: lines of the same source must have the same translation, got "R AW T" in line 1');
  });
});

it('prints JSON of sentences as an object a line', async () => {
  const { stdout } = await evaluate(['reference'], 'hypothesis', '--sentence-level', '--json');
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(golden.files.hypothesis.length);
  expect(JSON.parse(lines[0])).toMatchObject({ name: 'BLEU', score: 100, eff: 'yes' });
});

it('warns on standard error of text that looks tokenised', async () => {
  write('tokenised', ['I see a cat .', 'I see a dog .', 'I see a bird .']);
  const scored = await evaluate(['tokenised'], 'tokenised', '--metric', 'bleu');
  expect(scored.stderr).toBe(
    'warning: 3 of 3 lines end in " .": the text looks tokenised. Scores of tokenised text do not compare with ' +
      'published ones; detokenise it first.\n',
  );
  expect(scored.stdout).toMatch(/^BLEU\|[^\n]* = 100\.0 [^\n]*\n$/);
  for (const quiet of [
    ['--tokenize', 'none'],
    ['--metric', 'exact,wer'],
  ]) {
    expect((await evaluate(['tokenised'], 'tokenised', ...quiet)).stderr).toBe('');
  }
});

describe('refusals', () => {
  const refusals: readonly [flags: string, message: string][] = [
    ['--metric blue', '--metric: unknown metric blue; did you mean bleu? Known: bleu, chrf, chrf++, ter, wer, per,'],
    ['--metric bleu,', '--metric: unknown metric '],
    ['--metric toString', '--metric: unknown metric toString'],
    ['--tokenize 13b', 'got "13b"; did you mean 13a?'],
    ['--smoothing flor', 'got "flor"; did you mean floor?'],
    ['--smoothing-value 1', 'smoothingValue belongs to floor and add-k'],
    ['--chrf-beta 3', '--chrf-beta: belongs to chrf, chrf++, got --metric bleu.'],
    ['--metric chrf++ --chrf-word-order 1', '--chrf-word-order: belongs to chrf, got --metric chrf++.'],
    ['--metric ter --lowercase', '--lowercase: belongs to bleu, chrf'],
    ['--metric chrf --chrf-beta 0', 'chrF: beta must be a number above 0, got 0.'],
    ['--sentence-level --metric bleu,ter', '--sentence-level: takes one metric'],
    ['--sentence-level --confidence', '--sentence-level: has no interval and no test'],
    ['--confidence --baseline other', '--confidence: is for one system'],
    ['--paired-test bootstrap', '--paired-test: compares with a second system'],
    ['--seed 1', '--seed: belongs to --confidence and --baseline'],
    ['--trials 10', '--trials: belongs to --confidence and --baseline'],
    ['--confidence --trials 1', 'trials must be a whole number of at least 2, got 1.'],
    ['--width 11', 'decimals must be a whole number from 0 to 10, got 11.'],
  ];
  for (const [flags, message] of refusals) {
    it(flags, async () => {
      await expect(evaluate(['reference'], 'hypothesis', ...flags.split(' '))).rejects.toThrow(message);
    });
  }

  it('names the file whose lines are too few', async () => {
    const short = write('short', ['a', 'b']);
    const message = `${short}: must have a line for each translation, got 2 lines and 8 translations`;
    await expect(evaluate(['reference', 'short'], 'hypothesis')).rejects.toThrow(message);
    await expect(evaluate(['reference'], 'hypothesis', '--baseline', short)).rejects.toThrow(message);
    await expect(evaluate(['reference'], 'hypothesis', '--source', short)).rejects.toThrow(message);
    await expect(evaluate(['missing'], 'hypothesis')).rejects.toThrow('no such file');
  });
});
