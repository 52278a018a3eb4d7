// The options of decoding as users write them, with their descriptions: flags of the command line and fields of the HTTP
// interface are made from these. Kinds are checked here; ranges are only told, for decoding is the judge of them.

import { z } from 'zod';

const number = (range: { readonly minimum?: number; readonly maximum?: number; readonly exclusiveMinimum?: number }) =>
  z.number().optional().meta(range);
const whole = (minimum: number) => z.number().optional().meta({ type: 'integer', minimum });
const truth = () => z.boolean().optional();

export const searchOptions = {
  beam: whole(1).describe('Hypotheses kept at each step; 1 is greedy search (default: the model’s own, 4).'),
  lengthPenalty: z.string().optional().describe('gnmt:α, average:power or none (default: the model’s own, gnmt:0.6).'),
  coveragePenalty: number({ minimum: 0 }).describe('β of the penalty for source left untranslated (default: 0, off).'),
  nBest: whole(1).describe('Translations of each line, best first (default: 1).'),
  distinct: truth().describe('Only translations whose texts differ.'),
  alternatives: truth().describe('The n best differ in the first piece after the prefix.'),
  maxLength: whole(1).describe('Most pieces of an output, its end counted.'),
  maxLengthExtra: whole(0).describe('Most pieces that an output may be longer than its source (default: 50).'),
  minLength: whole(0).describe('Fewest pieces of an output (default: 0).'),
  noRepeatNgram: whole(0).describe('No run of this many pieces twice in an output (default: 0, off).'),
  repetitionPenalty: number({ exclusiveMinimum: 0 }).describe(
    'Above 1 discourages pieces that an output has already (default: 1, off).',
  ),
};

export const samplingOptions = {
  temperature: number({ exclusiveMinimum: 0 }).describe('Towards 0 greedy, above 1 more varied (default: 1).'),
  topK: whole(0).describe('Draw from this many most probable pieces only (default: all).'),
  topP: number({ exclusiveMinimum: 0, maximum: 1 }).describe(
    'Draw from the fewest pieces whose probabilities sum to this (default: 1).',
  ),
  seed: whole(0).describe('Another seed, other samples (default: 0).'),
};

export const textOptions = {
  ban: z
    .array(z.string())
    .optional()
    .describe('Word or phrase that no output holds, as the tokenizer spells it; may be given again.'),
  prefix: z.string().optional().describe('Text that every output starts with.'),
};
