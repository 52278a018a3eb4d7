// heed evaluate: scores translations against references, each score with its signature.

import type { Command } from 'commander';
import { parseOptions } from '../../base/options.ts';
import {
  formatPythonJson,
  formatScore,
  formatScoresJson,
  type Metric,
  type PairedComparison,
  pairedApproximateRandomization,
  pairedBootstrap,
  type Score,
  scoreCorpus,
  scoreSentence,
  scoreToJson,
  scoreWithConfidence,
  tokenizedWarning,
} from '../../metrics/index.ts';
import { type EvaluateFiles, readScoredText, type ScoredText } from '../files/evaluate-files.ts';
import {
  checkUse,
  dependsOnTokenization,
  type EvaluateOptions,
  evaluateOptions,
  metricsOf,
} from '../options/evaluate-options.ts';
import { addFlags, flagValues } from '../options/flags.ts';
import { note, print } from '../print/terminal.ts';

export function addEvaluateCommand(program: Command): void {
  const command = program
    .command('evaluate')
    .description('Score translations as sacreBLEU does.')
    .option('--hypothesis <file>', 'Translations, a line each; - is standard input.', '-')
    .requiredOption('--reference <file...>', 'Reference translations; several files are several references.')
    .option('--source <file>', 'Sources: lines with the same one are one item with several references.')
    .option('--baseline <file>', 'Translations of another system, to compare with.');
  addFlags(command, evaluateOptions.shape);
  command.action(async (files: EvaluateFiles) => {
    const given = flagValues(evaluateOptions.shape, { ...files });
    const options = parseOptions(evaluateOptions, given, 'evaluate');
    checkUse(options, Object.keys(given), files.baseline !== undefined);
    await evaluate(files, options);
  });
}

async function evaluate(files: EvaluateFiles, options: EvaluateOptions): Promise<void> {
  const metrics = metricsOf(options);
  const text = await readScoredText(files);
  const { hypotheses, references, baseline } = text;
  const warning = dependsOnTokenization(options) ? tokenizedWarning(hypotheses) : undefined;
  if (warning !== undefined) note(`warning: ${warning}`);
  if (options.sentenceLevel) {
    await printSentences(metrics[0], text, options);
  } else if (baseline !== undefined) {
    const compare = options.pairedTest === 'bootstrap' ? pairedBootstrap : pairedApproximateRandomization;
    const systems = { baseline, system: hypotheses, references };
    await printComparisons(
      metrics.map((metric) => compare(metric, systems, resampling(options))),
      files,
      options,
    );
  } else {
    const scoreBy = (metric: Metric<Score>) =>
      options.confidence
        ? scoreWithConfidence(metric, hypotheses, references, resampling(options))
        : scoreCorpus(metric, hypotheses, references);
    await printScores(metrics.map(scoreBy), options);
  }
}

function resampling({ trials, seed }: EvaluateOptions) {
  return trials === undefined ? { seed } : { trials, seed };
}

async function printScores(scores: readonly Score[], { json, width }: EvaluateOptions): Promise<void> {
  if (json) return print(formatScoresJson(scores, width));
  for (const line of alignedLines(scores.map((score) => formatScore(score, width)))) await print(line);
}

/** Several lines with their equals signs below each other, as sacreBLEU prints them. */
function alignedLines(lines: readonly string[]): string[] {
  const column = Math.max(...lines.map((line) => line.indexOf('=')));
  return lines.map((line) => ' '.repeat(column - line.indexOf('=')) + line);
}

/** A line each; as JSON an object a line. */
async function printSentences(
  metric: Metric<Score>,
  { hypotheses, references }: ScoredText,
  { json, width }: EvaluateOptions,
): Promise<void> {
  for (const [line, hypothesis] of hypotheses.entries()) {
    const lineReferences = references.map((stream) => stream[line]);
    const score = scoreSentence(metric, hypothesis, lineReferences);
    await print(json ? JSON.stringify(scoreToJson(score, width)) : formatScore(score, width));
  }
}

async function printComparisons(
  comparisons: readonly PairedComparison<Score>[],
  { baseline, hypothesis }: EvaluateFiles,
  { json, width }: EvaluateOptions,
): Promise<void> {
  if (json) {
    const records = [
      comparisonRecord(
        `Baseline: ${baseline}`,
        comparisons.map(({ baseline }) => ({ score: baseline })),
      ),
      comparisonRecord(
        hypothesis,
        comparisons.map(({ system, pValue }) => ({ score: system, pValue })),
      ),
    ];
    return print(formatPythonJson(records, 4));
  }
  for (const { baseline: before, system, pValue } of comparisons) {
    await print(`baseline ${baseline}: ${formatScore(before, width)}`);
    await print(`system ${hypothesis}: ${formatScore(system, width)}`);
    const judgement = pValue < 0.05 ? 'a significant difference' : 'no significant difference';
    await print(`${system.name}: p = ${pValue.toFixed(4)}, ${judgement} at 0.05`);
  }
}

/** The record of one system in sacreBLEU's JSON of a paired test; the signatures are added by us. */
function comparisonRecord(system: string, results: readonly { score: Score; pValue?: number }[]) {
  const metrics = results.map(({ score, pValue }) => [
    score.name,
    {
      score: score.score,
      p_value: pValue,
      mean: score.confidence?.mean,
      ci: score.confidence?.halfWidth,
      signature: score.signature,
    },
  ]);
  return { system, ...Object.fromEntries(metrics) };
}
