// heed translate: lines in, translations out, in the same order.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Command } from 'commander';
import { z } from 'zod';
import { HeedError } from '../base/error.ts';
import { readTextFile } from '../data/index.ts';
import { readLines } from '../text/index.ts';
import { type TranslatedLine, type TranslateOptions, Translator } from '../translate/index.ts';
import { addFlags, flagValues, parseOptions } from './flags.ts';

const count = () => z.int().positive();

const translateFlags = z.strictObject({
  beam: count().optional().describe('Hypotheses kept at each step; 1 is greedy search (default: the model’s own, 4).'),
  lengthPenalty: z.string().optional().describe('gnmt:α, average:power or none (default: the model’s own, gnmt:0.6).'),
  nBest: count().default(1).describe('Translations of each line, best first.'),
  maxLengthExtra: z.int().min(0).default(50).describe('Pieces that an output may be longer than its source.'),
  batchTokens: count().default(1024).describe('Source tokens of a batch; it changes the speed, never the result.'),
  threads: count().optional().describe('Threads of the engine; default: all cores.'),
  format: z
    .enum(['text', 'jsonl'])
    .default('text')
    .describe('Translations only, or a JSON record a line with scores and pieces.'),
});

type TranslateFlags = z.output<typeof translateFlags>;

export function addTranslateCommand(program: Command): void {
  const command = program
    .command('translate')
    .description('Translate lines; output line i belongs to input line i.')
    .requiredOption('--model <folder>', 'Folder of the model.')
    .option('--input <file>', 'File to translate; - is standard input.', '-')
    .option('--output <file>', 'File to write; - is standard output.', '-');
  addFlags(command, translateFlags.shape);
  command.action(async (given: { model: string; input: string; output: string }) => {
    const flags = parseOptions(translateFlags, flagValues(translateFlags.shape, { ...given }), 'translate');
    await translate(given, flags);
  });
}

async function translate(
  files: { model: string; input: string; output: string },
  flags: TranslateFlags,
): Promise<void> {
  const { format, threads, nBest, ...rest } = flags;
  const translator = await Translator.load(files.model, { threads });
  const lines = files.input === '-' ? readLines(process.stdin) : readTextFile(files.input);
  const output = files.output === '-' ? process.stdout : createWriteStream(files.output);
  const failed = new Promise<never>((_, reject) => {
    output.once('error', (cause) =>
      reject(new HeedError(files.output, `cannot be written: ${cause.message}`, { cause })),
    );
  });
  const options: TranslateOptions = { ...rest, ...(nBest > 1 ? { nBest } : {}) };
  const work = async () => {
    for await (const line of translator.translateLines(lines, options)) {
      const text =
        format === 'jsonl' ? [JSON.stringify(record(line))] : line.translations.map(({ text }) => oneLine(text));
      if (!output.write(`${text.join('\n')}\n`)) await once(output, 'drain');
    }
    if (output !== process.stdout) {
      output.end();
      await once(output, 'finish');
    }
  };
  await Promise.race([work(), failed]);
}

/** A model may say a line break; the output must not gain lines by it. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

function record({ source, sourcePieces, translations }: TranslatedLine) {
  return {
    source,
    sourcePieces,
    translations: translations.map(({ attention: _, ...translation }) => translation),
  };
}
