import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bleuMetric } from './bleu.ts';
import { chrfMetric } from './chrf.ts';
import type { Metric } from './metric.ts';
import { formatScore, type Score, scoreToJson } from './score.ts';
import { pairedApproximateRandomization, pairedBootstrap, scoreWithConfidence } from './significance.ts';
import { terMetric } from './ter.ts';

type MetricName = 'bleu' | 'chrf' | 'ter';

interface Golden {
  systems: { baseline: string[]; system: string[]; references: string[][] };
  tests: {
    metric: MetricName;
    kind: 'bs' | 'ar';
    trials: number;
    pValue: number;
    signature: string;
    scores: [baseline: number, system: number];
    intervals: [mean: number, halfWidth: number][] | null;
  }[];
  confidence: {
    metric: MetricName;
    trials: number;
    signature: string;
    line: string;
    json: Record<string, string | number>;
  }[];
}

const golden = JSON.parse(
  readFileSync(new URL('../../test/golden/metrics-significance.json', import.meta.url), 'utf8'),
) as Golden;

const metrics: Record<MetricName, Metric<Score>> = { bleu: bleuMetric(), chrf: chrfMetric(), ter: terMetric() };
const { systems } = golden;

describe('paired tests find what sacreBLEU finds, from the same samples', () => {
  for (const expected of golden.tests) {
    it(`${expected.metric}, ${expected.kind}`, () => {
      const test = expected.kind === 'bs' ? pairedBootstrap : pairedApproximateRandomization;
      const found = test(metrics[expected.metric], systems, { trials: expected.trials });
      expect(found.pValue).toBeCloseTo(expected.pValue, 12);
      [found.baseline, found.system].forEach((score, index) => {
        expect(score.score).toBeCloseTo(expected.scores[index], 9);
        expect(score.signature).toBe(expected.signature);
        // The reference adds up samples in 32-bit floats.
        if (expected.intervals === null) return;
        expect(score.confidence?.mean).toBeCloseTo(expected.intervals[index][0], 4);
        expect(score.confidence?.halfWidth).toBeCloseTo(expected.intervals[index][1], 4);
      });
    });
  }
});

describe('scoreWithConfidence', () => {
  for (const expected of golden.confidence) {
    it(`prints what sacreBLEU prints for ${expected.metric}`, () => {
      const score = scoreWithConfidence(metrics[expected.metric], systems.system, systems.references, {
        trials: expected.trials,
      });
      expect(formatScore(score)).toBe(expected.line);
      expect(scoreToJson(score)).toEqual(expected.json);
    });
  }
  it('gives no width to lines that are all alike', () => {
    const score = scoreWithConfidence(metrics.bleu, ['a b c d', 'a b c d'], [['a b c d', 'a b c d']], { trials: 50 });
    expect(score.confidence?.mean).toBeCloseTo(100, 9);
    expect(score.confidence?.halfWidth).toBeCloseTo(0, 9);
  });
});

describe('a system against itself', () => {
  const same = { ...systems, system: systems.baseline };
  it('does not differ', () => {
    expect(pairedBootstrap(metrics.bleu, same, { trials: 99 }).pValue).toBe(1);
    const { baseline, system } = pairedApproximateRandomization(metrics.chrf, same, { trials: 99 });
    expect(baseline.score).toBe(system.score);
  });
});

describe('resampling', () => {
  it('is reproducible, and another seed draws other samples', () => {
    const mean = (seed: number) => pairedBootstrap(metrics.ter, systems, { trials: 50, seed }).system.confidence?.mean;
    expect(mean(1)).toBe(mean(1));
    expect(mean(1)).not.toBe(mean(2));
  });
  it('refuses senseless trials and seeds', () => {
    for (const trials of [0, 1, 2.5]) {
      expect(() => pairedBootstrap(metrics.bleu, systems, { trials })).toThrow(
        `significance: trials must be a whole number of at least 2, got ${trials}.`,
      );
    }
    for (const seed of [-1, 0.5, 2 ** 53]) {
      expect(() => pairedApproximateRandomization(metrics.bleu, systems, { seed })).toThrow(
        `significance: seed must be a whole number from 0 to 2^53 - 1, got ${seed}.`,
      );
    }
  });
  it('refuses systems of unequal length', () => {
    expect(() => pairedBootstrap(metrics.bleu, { ...systems, system: ['a'] })).toThrow('got 1 hypotheses and 80 lines');
  });
});
