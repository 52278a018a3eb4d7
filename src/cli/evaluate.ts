// heed evaluate: scores translations against references, each with its signature.

import type { Command } from 'commander';
import { z } from 'zod';
import { HeedError } from '../base/error.ts';
import { didYouMean } from '../base/nearest.ts';
import { readTextFile } from '../data/index.ts';
import {
  BLEU_TOKENIZERS,
  corpusBleu,
  corpusChrf,
  corpusTer,
  formatScore,
  type Score,
  scoreToJson,
  tokenizedWarning,
} from '../metrics/index.ts';
import { addFlags, flagValues, parseOptions } from './flags.ts';
import { note, print } from './terminal.ts';

const evaluateFlags = z.strictObject({
  metric: z.string().default('bleu').describe('bleu, chrf, chrf++ and ter, with commas between.'),
  tokenize: z
    .enum(BLEU_TOKENIZERS)
    .default('13a')
    .describe('Tokenizer of BLEU; none for text that is tokenised already.'),
  lowercase: z.boolean().default(false).describe('Ignore case.'),
  json: z.boolean().default(false).describe('Print scores as JSON.'),
});

type EvaluateFlags = z.output<typeof evaluateFlags>;

export function addEvaluateCommand(program: Command): void {
  const command = program
    .command('evaluate')
    .description('Score translations as sacreBLEU does.')
    .requiredOption('--hypothesis <file>', 'Translations, a line each.')
    .requiredOption('--reference <file...>', 'Reference translations; several files are several references.');
  addFlags(command, evaluateFlags.shape);
  command.action(async (given: { hypothesis: string; reference: string[] }) => {
    const flags = parseOptions(evaluateFlags, flagValues(evaluateFlags.shape, { ...given }), 'evaluate');
    await evaluate(given, flags);
  });
}

async function evaluate(files: { hypothesis: string; reference: string[] }, flags: EvaluateFlags): Promise<void> {
  const hypotheses = await linesOf(files.hypothesis);
  const references = await Promise.all(files.reference.map(linesOf));
  references.forEach((lines, i) => {
    if (lines.length === hypotheses.length) return;
    const got = `${files.hypothesis} has ${hypotheses.length} lines and ${files.reference[i]} ${lines.length}`;
    throw new HeedError('evaluate', `each reference needs a line for each translation, but ${got}.`);
  });
  const scores = flags.metric.split(',').map((name) => scoreBy(name.trim(), hypotheses, references, flags));
  const warning = flags.tokenize === 'none' ? undefined : tokenizedWarning(hypotheses);
  if (warning !== undefined) note(`warning: ${warning}`);
  if (flags.json)
    await print(JSON.stringify(scores.length === 1 ? scoreToJson(scores[0]) : scores.map(scoreToJson), undefined, 1));
  else for (const score of scores) await print(formatScore(score));
}

function scoreBy(name: string, hypotheses: string[], references: string[][], flags: EvaluateFlags): Score {
  const { lowercase, tokenize } = flags;
  switch (name) {
    case 'bleu':
      return corpusBleu(hypotheses, references, { tokenizer: tokenize, lowercase });
    case 'chrf':
      return corpusChrf(hypotheses, references, { lowercase });
    case 'chrf++':
      return corpusChrf(hypotheses, references, { lowercase, wordOrder: 2 });
    case 'ter':
      return corpusTer(hypotheses, references, { caseSensitive: !lowercase });
  }
  const known = ['bleu', 'chrf', 'chrf++', 'ter'];
  throw new HeedError('--metric', `unknown metric ${name}${didYouMean(name, known)} Known: ${known.join(', ')}.`);
}

async function linesOf(path: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readTextFile(path)) lines.push(line);
  return lines;
}
