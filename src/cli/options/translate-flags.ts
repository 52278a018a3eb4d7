// The flags of heed translate, and the translator options they give. Ranges are validated by decoding.

import { z } from 'zod';
import { HeedError } from '../../base/error.ts';
import { kebab } from '../../base/options.ts';
import { readTextFile } from '../../data/index.ts';
import { searchOptions, textOptions } from '../../generate/index.ts';
import { Glossary, type TranslateOptions } from '../../translate/index.ts';
import { pick, refuseWithoutSample, samplingFlags } from './sampling-flags.ts';

const number = () => z.number().optional();

export const directionFlags = {
  from: z.string().optional().describe('Language of the lines, such as en; for models that know several.'),
  to: z
    .string()
    .optional()
    .describe('Language to translate into, such as zh; needed where the model knows several (from that language).'),
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
  ...directionFlags,
  ...searchOptions,
  sample: z.boolean().optional().describe('Draw pieces at random instead of searching.'),
  ...samplingFlags,
  ...textOptions,
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
    ...pick(flags, directionFlags),
    ...pick(flags, searchOptions),
    ...pick(flags, textOptions),
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
  refuseWithoutSample(flags);
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
