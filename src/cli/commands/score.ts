// heed score: how probable a model finds given translations, a line each.

import type { Command } from 'commander';
import { z } from 'zod';
import { parseOptions } from '../../base/options.ts';
import { type NumberedPair, readPairs } from '../../data/index.ts';
import { inWindows, type PairScore } from '../../translate/index.ts';
import { Translator } from '../../translate/node.ts';
import { addFlags, flagValues } from '../options/flags.ts';
import { directionFlags } from '../options/translate-flags.ts';
import { rounded, withOutput } from '../print/output.ts';

const scoreFlags = z.strictObject({
  ...directionFlags,
  lengthPenalty: z
    .string()
    .default('none')
    .describe('gnmt:α, average:power or none: what the log-probability is divided by, as in heed translate.'),
  format: z
    .enum(['text', 'jsonl'])
    .default('text')
    .describe('The score alone; or a JSON record a line: pieces, their log-probabilities, total, score.'),
  batchTokens: z
    .int()
    .positive()
    .default(1024)
    .describe('Tokens of the longer side of a batch; it changes the speed, never the result.'),
  threads: z.int().positive().optional().describe('Threads of the engine; default: all cores.'),
});

type ScoreFlags = z.output<typeof scoreFlags>;

interface Files {
  readonly model: readonly string[];
  readonly source: string;
  readonly target: string;
  readonly output: string;
}

/** Pairs read ahead to be sorted by length, and the longest that one waits for others. */
const window = { items: 1024, waitMs: 100 };

export function addScoreCommand(program: Command): void {
  const command = program
    .command('score')
    .description('Print the log-probability of given translations, spelled as the tokenizer spells them.')
    .requiredOption('--model <folder...>', 'Folder of the model; several with one tokenizer score as an ensemble.')
    .requiredOption('--source <file>', 'Lines that were translated.')
    .requiredOption('--target <file>', 'Their translations, line by line.')
    .option('--output <file>', 'File to write; - is standard output.', '-');
  addFlags(command, scoreFlags.shape);
  command.action(async (given: Files) => {
    const flags = parseOptions(scoreFlags, flagValues(scoreFlags.shape, { ...given }), 'score');
    await score(given, flags);
  });
}

async function score({ model, output, ...files }: Files, flags: ScoreFlags): Promise<void> {
  const { format, threads, ...options } = flags;
  const translator = await Translator.load(model, { threads });
  await withOutput(output, async ({ write }) => {
    for await (const pairs of inWindows(readPairs(files), window)) {
      const scores = await translator.score(pairs, { ...options, firstLine: pairs[0].line - 1 });
      for (const [i, pair] of pairs.entries())
        await write(`${format === 'jsonl' ? JSON.stringify(record(pair, scores[i])) : scores[i].score.toFixed(6)}\n`);
    }
  });
}

function record({ source, target }: NumberedPair, { pieces, logProbabilities, total, score }: PairScore) {
  return {
    source,
    target,
    pieces,
    logProbabilities: logProbabilities.map(rounded),
    total: rounded(total),
    score: rounded(score),
  };
}
