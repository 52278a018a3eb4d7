// BLEU, chrF and TER against values recorded from sacreBLEU: small corpora under all options, and single lines.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type BleuOptions, corpusBleu, sentenceBleu } from './bleu.ts';
import { type ChrfOptions, corpusChrf, sentenceChrf } from './chrf.ts';
import type { ReferenceStreams } from './metric.ts';
import { formatScore, scoreToJson } from './score.ts';
import { SACREBLEU_VERSION } from './signature.ts';
import { corpusTer, sentenceTer } from './ter.ts';
import type { TerOptions } from './ter-tokenizer.ts';

type MetricCase =
  | { metric: 'bleu'; options: Partial<BleuOptions> }
  | { metric: 'chrf'; options: Partial<ChrfOptions> }
  | { metric: 'ter'; options: Partial<TerOptions> };

interface Corpus {
  hypotheses: string[];
  references: (string | null)[][];
}

interface Expected {
  score: number;
  signature: string;
  line: string;
  json?: Record<string, string | number>;
  [field: string]: unknown;
}

interface CorporaGolden {
  versions: { sacrebleu: string };
  corpora: Record<string, Corpus>;
  cases: (MetricCase & { corpus: string; expected: Expected })[];
}

interface SentencesGolden {
  cases: (MetricCase & { corpus: string; scores: number[]; signature: string })[];
}

function readGolden(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../test/golden/metrics-${name}.json`, import.meta.url), 'utf8'));
}

const { versions, corpora, cases } = readGolden('corpora') as CorporaGolden;
const sentences = readGolden('sentences') as SentencesGolden;

/** JSON has null for a missing reference. */
function referencesOf(corpus: Corpus): ReferenceStreams {
  return corpus.references.map((stream) => stream.map((line) => line ?? undefined));
}

function scoreCorpus(testCase: MetricCase, hypotheses: string[], references: ReferenceStreams) {
  if (testCase.metric === 'bleu') return corpusBleu(hypotheses, references, testCase.options);
  if (testCase.metric === 'chrf') return corpusChrf(hypotheses, references, testCase.options);
  return corpusTer(hypotheses, references, testCase.options);
}

function scoreLine(testCase: MetricCase, hypothesis: string, references: readonly (string | undefined)[]) {
  if (testCase.metric === 'bleu') return sentenceBleu(hypothesis, references);
  if (testCase.metric === 'chrf') return sentenceChrf(hypothesis, references, testCase.options);
  return sentenceTer(hypothesis, references, testCase.options);
}

/** Equal texts, equal shapes, and numbers equal to 1e-9. */
function expectNear(actual: unknown, expected: unknown, field: string): void {
  if (typeof expected === 'number') {
    expect(typeof actual, field).toBe('number');
    expect(Math.abs((actual as number) - expected), `${field}: ${actual} for ${expected}`).toBeLessThan(1e-9);
  } else if (Array.isArray(expected)) {
    expect(actual, field).toHaveLength(expected.length);
    expected.forEach((item, index) => {
      expectNear((actual as unknown[])[index], item, `${field}[${index}]`);
    });
  } else {
    expect(actual, field).toEqual(expected);
  }
}

it('the golden values come from the version that signatures name', () => {
  expect(versions.sacrebleu).toBe(SACREBLEU_VERSION);
});

describe('a corpus scores as in sacreBLEU', () => {
  for (const name of Object.keys(corpora)) {
    it(name, () => {
      for (const testCase of cases.filter(({ corpus }) => corpus === name)) {
        const score = scoreCorpus(testCase, corpora[name].hypotheses, referencesOf(corpora[name]));
        const { line, json, ...fields } = testCase.expected;
        const label = `${testCase.metric} ${JSON.stringify(testCase.options)}`;
        const actual: Record<string, unknown> = { ...score };
        for (const [field, value] of Object.entries(fields)) expectNear(actual[field], value, `${label} ${field}`);
        expect(formatScore(score)).toBe(line);
        if (json !== undefined) expect(Object.entries(scoreToJson(score))).toEqual(Object.entries(json));
      }
    });
  }
});

describe('a sentence scores as in sacreBLEU', () => {
  for (const testCase of sentences.cases) {
    it(`${testCase.metric}, ${testCase.corpus}`, () => {
      const corpus = corpora[testCase.corpus];
      corpus.hypotheses.forEach((hypothesis, index) => {
        const references = referencesOf(corpus).map((stream) => stream[index]);
        const score = scoreLine(testCase, hypothesis, references);
        expectNear(score.score, testCase.scores[index], `line ${index + 1}`);
        expect(score.signature).toBe(testCase.signature);
      });
    });
  }
});
