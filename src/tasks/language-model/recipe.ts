// The options of a language model's run; their descriptions are what --help, the configuration file and the docs print.

import { z } from 'zod';
import { languageModelOptions } from '../../architectures/index.ts';
import { trainingOptions } from '../../train/index.ts';
import { tokenizerOptions } from '../tokenizers.ts';

/** Text and files. */
const textOptions = z.strictObject({
  text: z.string().optional().describe('Text to learn from, UTF-8 (.gz is read too).'),
  validText: z.string().optional().describe('Validation text; default: the end of the text (validShare).'),
  validShare: z
    .number()
    .min(0)
    .lt(1)
    .default(0.1)
    .describe('Share of the text, at its end, that validates and is not learned from, without validText; 0: none.'),
  documents: z
    .enum(['text', 'lines'])
    .default('text')
    .describe('What begins with <s> and ends with </s>: the whole text with its line breaks, or each line.'),
  ...tokenizerOptions.shape,
  context: z.int().positive().default(256).describe('Tokens that the model reads at a time.'),
});

/** Every option of a language model's run. */
export const languageModelRecipe = z.strictObject({
  ...textOptions.shape,
  ...languageModelOptions.shape,
  ...trainingOptions.omit({ bestBy: true }).shape,
});

export type LanguageModelRecipe = z.output<typeof languageModelRecipe>;

/** Paths: files may have moved when a run is resumed. */
export const pathOptions = ['text', 'validText'] as const;
