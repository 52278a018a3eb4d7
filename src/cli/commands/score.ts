// heed score: how probable a model finds given translations, a line each; or how well a language model predicts a text.

import type { Command } from 'commander';
import { z } from 'zod';
import { HeedError } from '../../base/error.ts';
import { kebab, parseOptions } from '../../base/options.ts';
import { type NumberedPair, readPairs, readTextChunks } from '../../data/index.ts';
import type { Perplexity } from '../../language-model/index.ts';
import { LanguageModel } from '../../language-model/node.ts';
import { inWindows, type PairScore } from '../../translate/index.ts';
import { Translator } from '../../translate/node.ts';
import { addFlags, flagValues } from '../options/flags.ts';
import { directionFlags } from '../options/translate-flags.ts';
import { rounded, withOutput } from '../print/output.ts';
import { grouped } from '../print/terminal.ts';

/** Flags that only translations have. */
const pairFlags = {
  ...directionFlags,
  lengthPenalty: z
    .string()
    .optional()
    .describe('gnmt:α, average:power or none: what the log-probability is divided by (default: none).'),
};

/** Flags that only a text has. */
const textFlags = {
  context: z
    .number()
    .optional()
    .describe('Of --text: pieces that each is predicted from, at most (default: as in training).'),
};

const scoreFlags = z.strictObject({
  ...pairFlags,
  ...textFlags,
  format: z
    .enum(['text', 'jsonl'])
    .default('text')
    .describe(
      'The score alone; or a JSON record a line: pieces, their log-probabilities, total, score; of --text the report.',
    ),
  batchTokens: z
    .int()
    .positive()
    .optional()
    .describe(
      'Tokens of the longer side of a batch; it changes the speed, never the result (default: 1024, of --text 4096).',
    ),
  threads: z.int().positive().optional().describe('Threads of the engine; default: all cores.'),
});

type ScoreFlags = z.output<typeof scoreFlags>;

interface Files {
  readonly model: readonly string[];
  readonly source?: string;
  readonly target?: string;
  readonly text?: string;
  readonly output: string;
}

/** Pairs read ahead to be sorted by length, and the longest that one waits for others. */
const window = { items: 1024, waitMs: 100 };

export function addScoreCommand(program: Command): void {
  const command = program
    .command('score')
    .description('Print the log-probability of given translations, spelled as the tokenizer spells them; or of a text.')
    .requiredOption('--model <folder...>', 'Folder of the model; several with one tokenizer score as an ensemble.')
    .option('--source <file>', 'Lines that were translated.')
    .option('--target <file>', 'Their translations, line by line.')
    .option('--text <file>', 'Text for a language model: prints how well it predicts it, in nats and as perplexity.')
    .option('--output <file>', 'File to write; - is standard output.', '-');
  addFlags(command, scoreFlags.shape);
  command.action(async (given: Files) => {
    const flags = parseOptions(scoreFlags, flagValues(scoreFlags.shape, { ...given }), 'score');
    await score(given, flags);
  });
}

async function score({ model, source, target, text, output }: Files, flags: ScoreFlags): Promise<void> {
  if (text !== undefined) {
    if (source !== undefined || target !== undefined)
      throw new HeedError('--text', 'is for a language model, --source and --target are for translations; use one.');
    refuse(flags, pairFlags, 'is for translations; leave it out, or give --source and --target.');
    await scoreText({ model, text, output }, flags);
    return;
  }
  if (source === undefined || target === undefined)
    throw new HeedError('score', 'needs --source and --target, or --text for a language model.');
  refuse(flags, textFlags, 'needs --text; add it or leave it out.');
  await scorePairs({ model, source, target, output }, flags);
}

function refuse(flags: ScoreFlags, part: object, rule: string): void {
  const given = Object.keys(part).find((key) => flags[key as keyof ScoreFlags] !== undefined);
  if (given !== undefined) throw new HeedError(`--${kebab(given)}`, rule);
}

async function scoreText(
  { model, text, output }: Required<Pick<Files, 'model' | 'text' | 'output'>>,
  { format, threads, batchTokens, context }: ScoreFlags,
): Promise<void> {
  const [folder, ...others] = model;
  if (others.length > 0) throw new HeedError('--model', `takes one language model, got ${model.length}; name one.`);
  const languageModel = await LanguageModel.load(folder, { threads });
  const chunks: string[] = [];
  for await (const chunk of readTextChunks(text)) chunks.push(chunk);
  const report = await languageModel.perplexity(chunks.join(''), { context, batchTokens });
  const lines = format === 'jsonl' ? [JSON.stringify(report)] : reportLines(report);
  await withOutput(output, ({ write }) => write(lines.map((line) => `${line}\n`).join('')));
}

function reportLines({ tokens, characters, perToken, perCharacter, perplexity }: Perplexity): string[] {
  return [
    ['tokens', grouped(tokens)],
    ['characters', grouped(characters)],
    ['nats per token', perToken.toFixed(4)],
    ['nats per character', perCharacter.toFixed(4)],
    ['perplexity', perplexity.toFixed(3)],
  ].map(([name, value]) => `${name.padEnd(20)}${value}`);
}

async function scorePairs(
  { model, output, ...files }: Required<Omit<Files, 'text'>>,
  { format, threads, context, ...options }: ScoreFlags,
): Promise<void> {
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
