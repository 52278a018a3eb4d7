// The flags of heed translate, and what they ask of a translator. Ranges are for decoding to judge, which knows them.

import { z } from 'zod';
import { HeedError } from '../base/error.ts';
import { readTextFile } from '../data/index.ts';
import { Glossary, type TranslateOptions } from '../translate/index.ts';
import { kebab } from './flags.ts';

const number = () => z.number().optional();

const searchFlags = {
  beam: number().describe('Hypotheses kept at each step; 1 is greedy search (default: the model’s own, 4).'),
  lengthPenalty: z.string().optional().describe('gnmt:α, average:power or none (default: the model’s own, gnmt:0.6).'),
  coveragePenalty: number().describe('β of the penalty for source left untranslated (default: 0, off).'),
  nBest: number().describe('Translations of each line, best first (default: 1).'),
  distinct: z.boolean().optional().describe('Only translations whose texts differ.'),
  alternatives: z.boolean().optional().describe('The n best differ in the first piece after the prefix.'),
  maxLength: number().describe('Most pieces of an output, its end counted.'),
  maxLengthExtra: number().describe('Most pieces that an output may be longer than its source (default: 50).'),
  minLength: number().describe('Fewest pieces of an output (default: 0).'),
  noRepeatNgram: number().describe('No run of this many pieces twice in an output (default: 0, off).'),
  repetitionPenalty: number().describe('Above 1 discourages pieces that an output has already (default: 1, off).'),
};

const samplingFlags = {
  temperature: number().describe('Of --sample: towards 0 greedy, above 1 more varied (default: 1).'),
  topK: number().describe('Of --sample: draw from this many most probable pieces only (default: all).'),
  topP: number().describe('Of --sample: draw from the fewest pieces whose probabilities sum to this (default: 1).'),
  seed: number().describe('Of --sample: another seed, other samples (default: 0).'),
};

const textFlags = {
  ban: z
    .array(z.string())
    .optional()
    .describe('Word or phrase that no output holds, as the tokenizer spells it; may be given again.'),
  prefix: z.string().optional().describe('Text that every output starts with.'),
};

const outputFlags = {
  format: z
    .enum(['text', 'jsonl'])
    .default('text')
    .describe('Translations only; or a JSON record a line: pieces, scores, alignment, why it ended.'),
  alignment: z.enum(['pharaoh']).optional().describe('Add word alignment to text: TEXT ||| 0-0 2-1, source-target.'),
  attention: z.boolean().optional().describe('Add attention to the source to JSON records.'),
  attentionLayer: number().describe('Decoder layer of attention and alignment, from 0 (default: the last but one).'),
  stream: z
    .boolean()
    .optional()
    .describe('Print each line’s text piece by piece as it is written; greedy or --sample.'),
};

export const translateFlags = z.strictObject({
  ...searchFlags,
  sample: z.boolean().optional().describe('Draw pieces at random instead of searching.'),
  ...samplingFlags,
  ...textFlags,
  glossary: z
    .string()
    .optional()
    .describe('File of terms, SOURCE TAB TARGET a line: where a line has the source term, its output has the target.'),
  ...outputFlags,
  batchTokens: number().describe('Source tokens of a batch; it changes the speed, never the result (default: 1024).'),
  threads: z
    .int()
    .positive()
    .optional()
    .describe('Threads, each translating sentences of its own; default: all cores.'),
});

export type TranslateFlags = z.output<typeof translateFlags>;

/** @throws HeedError for flags that contradict each other, or a glossary that cannot be read */
export async function translateOptions(flags: TranslateFlags): Promise<TranslateOptions> {
  refuseContradictions(flags);
  const { glossary, sample, format, alignment } = flags;
  return {
    ...pick(flags, searchFlags),
    ...pick(flags, textFlags),
    ...(sample ? { sampling: pick(flags, samplingFlags) } : {}),
    glossary: glossary === undefined ? undefined : await readGlossary(glossary),
    attention: format === 'jsonl' || alignment !== undefined,
    batchTokens: flags.batchTokens,
  };
}

function refuseContradictions(flags: TranslateFlags): void {
  const lacking = (key: keyof TranslateFlags, other: string): never => {
    throw new HeedError(`--${kebab(key)}`, `needs ${other}; add it or leave out --${kebab(key)}.`);
  };
  for (const key of keysOf(samplingFlags)) if (flags[key] !== undefined && !flags.sample) lacking(key, '--sample');
  if (flags.attention && flags.format !== 'jsonl') lacking('attention', '--format jsonl');
  if (flags.alignment !== undefined && flags.format === 'jsonl')
    throw new HeedError('--alignment', 'is for text; JSON records hold the alignment already, so leave it out.');
  if (!flags.stream) return;
  if (flags.format === 'jsonl') lacking('stream', '--format text');
  if (flags.alignment !== undefined)
    throw new HeedError('--stream', 'prints text as it is written; --alignment needs whole lines: leave out one.');
}

async function readGlossary(path: string): Promise<Glossary> {
  const lines: string[] = [];
  for await (const line of readTextFile(path)) lines.push(line);
  return Glossary.parse(lines, path);
}

function keysOf<T extends object>(record: T): (keyof T)[] {
  return Object.keys(record) as (keyof T)[];
}

/** The flags that a part of the schema declares. */
function pick<K extends keyof TranslateFlags>(
  flags: TranslateFlags,
  part: Record<K, z.ZodType>,
): Pick<TranslateFlags, K> {
  return Object.fromEntries(keysOf(part).map((key) => [key, flags[key]])) as Pick<TranslateFlags, K>;
}
