// BLEU, chrF and TER of pseudo hypotheses on public test sets against sacreBLEU. The texts are not part of the repository:
// without the folder shared/data beside it the tests are skipped.

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type BleuOptions, corpusBleu } from './bleu.ts';
import { type ChrfOptions, corpusChrf } from './chrf.ts';
import { formatScore } from './score.ts';
import { corpusTer } from './ter.ts';
import type { TerOptions } from './ter-tokenizer.ts';

type SetCase = { set: string; lines: number; score: number; line: string } & (
  | { metric: 'bleu'; options: Partial<BleuOptions> }
  | { metric: 'chrf'; options: Partial<ChrfOptions> }
  | { metric: 'ter'; options: Partial<TerOptions> }
);

const golden = JSON.parse(
  readFileSync(new URL('../../test/golden/metrics-evaluation-sets.json', import.meta.url), 'utf8'),
) as { cases: SetCase[] };

const folder = new URL('../../../shared/data/evalsets/', import.meta.url);
const isPresent = existsSync(folder);
if (!isPresent) console.log('skipped: the evaluation sets are not in ../shared/data/evalsets');

/** As `perturb` in tools/golden/metrics.py: every seventh word dropped, two neighbours swapped. */
function perturb(line: string, number: number): string {
  const separator = line.includes(' ') ? ' ' : '';
  const words = separator === ' ' ? line.split(' ') : Array.from(line);
  const kept = words.filter((_, index) => (index + number) % 7 !== 0);
  const swap = number % 5;
  if (kept.length > swap + 1) kept.splice(swap, 2, kept[swap + 1], kept[swap]);
  return kept.join(separator);
}

function scoreCase(testCase: SetCase, hypotheses: string[], references: string[]) {
  if (testCase.metric === 'bleu') return corpusBleu(hypotheses, [references], testCase.options);
  if (testCase.metric === 'chrf') return corpusChrf(hypotheses, [references], testCase.options);
  return corpusTer(hypotheses, [references], testCase.options);
}

describe.skipIf(!isPresent)('public test sets score as in sacreBLEU', { timeout: 600_000 }, () => {
  for (const testCase of golden.cases) {
    it(`${testCase.set}, ${testCase.metric} ${JSON.stringify(testCase.options)}`, () => {
      const references = readFileSync(new URL(testCase.set, folder), 'utf8').replace(/\n$/, '').split('\n');
      expect(references).toHaveLength(testCase.lines);
      const score = scoreCase(testCase, references.map(perturb), references);
      expect(Math.abs(score.score - testCase.score)).toBeLessThan(1e-9);
      expect(formatScore(score)).toBe(testCase.line);
    });
  }
});
