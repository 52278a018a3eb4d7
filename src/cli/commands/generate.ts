// heed generate: text that continues a prompt, by a language model.

import type { Command } from 'commander';
import { z } from 'zod';
import { HeedError } from '../../base/error.ts';
import { parseOptions } from '../../base/options.ts';
import { readTextFile } from '../../data/index.ts';
import { searchOptions } from '../../generate/index.ts';
import type { GeneratedText, GenerateOptions } from '../../language-model/index.ts';
import { LanguageModel } from '../../language-model/node.ts';
import { readLines } from '../../text/index.ts';
import { addFlags, flagValues } from '../options/flags.ts';
import { pick, refuseWithoutSample, samplingFlags } from '../options/sampling-flags.ts';
import { type Output, rounded, withOutput } from '../print/output.ts';

const searchFlags = {
  maxTokens: z.number().optional().describe('Pieces to write at most, the end counted (default: 200).'),
  beam: searchOptions.beam.describe('Hypotheses kept at each step; 1 is greedy search (default: the model’s own, 1).'),
  lengthPenalty: searchOptions.lengthPenalty.describe(
    'gnmt:α, average:power or none (default: the model’s own, none).',
  ),
  nBest: searchOptions.nBest.describe('Texts for each prompt, best first (default: 1).'),
  noRepeatNgram: searchOptions.noRepeatNgram,
  repetitionPenalty: searchOptions.repetitionPenalty,
};

const generateFlags = z.strictObject({
  prompt: z.string().optional().describe('Text to continue (default: none; the model begins a text).'),
  input: z.string().optional().describe('File of prompts, a line each, instead of --prompt; - is standard input.'),
  ...searchFlags,
  sample: z.boolean().optional().describe('Draw pieces at random instead of searching.'),
  ...samplingFlags,
  stream: z
    .boolean()
    .optional()
    .describe('Print the text piece by piece as it is written; greedy or --sample (default: true on a terminal).'),
  format: z
    .enum(['text', 'jsonl'])
    .default('text')
    .describe('Each prompt with its continuation, a line of hyphens between texts; or a JSON record for each prompt.'),
  batchTokens: z
    .number()
    .optional()
    .describe('Pieces of a batch; it changes the speed, never the result (default: 4096).'),
  threads: z.int().positive().optional().describe('Threads of the engine; default: all cores.'),
});

type GenerateFlags = z.output<typeof generateFlags>;

export function addGenerateCommand(program: Command): void {
  const command = program
    .command('generate')
    .description('Continue a text with a language model.')
    .requiredOption('--model <folder>', 'Folder of the model.')
    .option('--output <file>', 'File to write; - is standard output.', '-');
  addFlags(command, generateFlags.shape);
  command.action(async (given: { model: string; output: string }) => {
    const flags = parseOptions(generateFlags, flagValues(generateFlags.shape, { ...given }), 'generate');
    await generate(given, flags);
  });
}

async function generate({ model, output }: { model: string; output: string }, flags: GenerateFlags): Promise<void> {
  const isStreamed = streams(flags, output);
  const options: GenerateOptions = {
    ...pick(flags, searchFlags),
    ...(flags.sample ? { sampling: pick(flags, samplingFlags) } : {}),
    batchTokens: flags.batchTokens,
  };
  const languageModel = await LanguageModel.load(model, { threads: flags.threads });
  const prompts = await promptsOf(flags);
  await withOutput(output, async (out) => {
    if (isStreamed) await writeStream(prompts, { languageModel, options, out });
    else await writeAll(prompts, { languageModel, options, out, format: flags.format });
  });
}

interface Work {
  readonly languageModel: LanguageModel;
  readonly options: GenerateOptions;
  readonly out: Output;
}

const separator = '-'.repeat(20);

async function writeStream(prompts: readonly string[], { languageModel, options, out }: Work): Promise<void> {
  for (const [i, prompt] of prompts.entries()) {
    await out.write(i === 0 ? prompt : `${separator}\n${prompt}`);
    for await (const text of languageModel.stream(prompt, options)) await out.write(text);
    await out.write('\n');
  }
}

async function writeAll(
  prompts: readonly string[],
  { languageModel, options, out, format }: Work & Pick<GenerateFlags, 'format'>,
): Promise<void> {
  const all = await languageModel.generateAll(prompts, options);
  if (format === 'jsonl') {
    for (const [i, texts] of all.entries()) await out.write(`${JSON.stringify(record(prompts[i], texts))}\n`);
    return;
  }
  const whole = all.flatMap((texts, i) => texts.map(({ text }) => `${prompts[i]}${text}\n`));
  await out.write(whole.join(`${separator}\n`));
}

function record(prompt: string, texts: readonly GeneratedText[]) {
  return {
    prompt,
    texts: texts.map(({ text, pieces, logProbabilities, total, reason }) => {
      return { text, pieces, logProbabilities: logProbabilities.map(rounded), total: rounded(total), reason };
    }),
  };
}

/** Whether text is printed as it is written. @throws HeedError for flags that contradict each other */
function streams(flags: GenerateFlags, output: string): boolean {
  refuseWithoutSample(flags);
  if (flags.prompt !== undefined && flags.input !== undefined)
    throw new HeedError('--input', 'is read instead of --prompt; leave out one of them.');
  if (flags.stream && flags.format === 'jsonl')
    throw new HeedError('--stream', 'needs --format text; add it or leave out --stream.');
  const isPossible = flags.format === 'text' && (flags.beam ?? 1) === 1 && (flags.nBest ?? 1) === 1;
  return flags.stream ?? (isPossible && output === '-' && process.stdout.isTTY === true);
}

async function promptsOf({ prompt = '', input }: GenerateFlags): Promise<string[]> {
  if (input === undefined) return [prompt];
  const prompts: string[] = [];
  for await (const line of input === '-' ? readLines(process.stdin) : readTextFile(input)) prompts.push(line);
  return prompts;
}
