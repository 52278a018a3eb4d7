// The options of a translation run; their descriptions are what --help, the configuration file and the docs print.

import { z } from 'zod';
import { transformerOptions } from '../../architectures/index.ts';
import { maxCachedLength } from '../../data/index.ts';
import { BLEU_TOKENIZERS } from '../../metrics/index.ts';
import { trainingOptions } from '../../train/index.ts';
import { tokenizerOptions } from '../tokenizers.ts';

const language = () => z.string().regex(/^[\p{L}\p{N}_-]+$/u, 'must be letters, digits, - and _, such as zh or pt-BR');

/** Text and files. */
const textOptions = z.strictObject({
  source: z.string().optional().describe('Source side of the corpus, a sentence a line (.gz is read too).'),
  target: z.string().optional().describe('Target side, line by line.'),
  validSource: z.string().optional().describe('Source side of the validation text, a sentence a line.'),
  validTarget: z.string().optional().describe('Target side of the validation text, line by line.'),
  sourceLanguage: language()
    .optional()
    .describe('Language of the source, such as en: what heed translate --from and servers call it.'),
  targetLanguage: language()
    .optional()
    .describe('Language of the target, such as de; several corpora name theirs each.'),
  validTargetLanguage: language()
    .optional()
    .describe('Which of the corpora’s target languages the validation text is in.'),
  cache: z
    .string()
    .optional()
    .describe(
      'Folder of encoded corpora, to be shared by runs on the same text; default: the model’s training folder.',
    ),
  vocabulary: z.enum(['joint', 'separate']).default('joint').describe('One tokenizer for both sides, or one for each.'),
  ...tokenizerOptions.shape,
  maxLength: z
    .int()
    .positive()
    .lt(maxCachedLength)
    .default(256)
    .describe('Pieces of a side; longer pairs are left out of training.'),
  maxRatio: z.number().min(1).default(9).describe('Ratio of the sides’ lengths; more unlike pairs are left out.'),
  validBleu: z.boolean().default(true).describe('Translate the validation text (greedy) at each validation: BLEU.'),
  bleuTokenize: z
    .enum(BLEU_TOKENIZERS)
    .optional()
    .describe('Tokenizer of that BLEU; default: zh for Chinese, 13a for other languages.'),
  samples: z
    .int()
    .min(0)
    .optional()
    .describe('Validation sentences whose translations are logged at each validation (default: 3); 0: none.'),
});

/** Augmentation: pairs are changed each time they are learned from. */
const share = () => z.number().min(0).max(1).default(0);
const augmentOptions = z.strictObject({
  bpeDropout: share().describe('BPE dropout: how likely each merge is passed over; 0: off.'),
  noiseCase: share().describe('Share of sources put in capitals, small letters or Like A Title; 0: off.'),
  noiseTypos: share().describe('How likely a typing error is at each letter of a source; 0: off.'),
});

/** Several corpora in one model, which only a configuration file can name. */
const corporaOptions = z.strictObject({
  corpora: z
    .array(
      z.strictObject({
        source: z.string(),
        target: z.string(),
        weight: z.number().positive().optional(),
        sourceLanguage: language().optional(),
        targetLanguage: language().optional(),
      }),
    )
    .min(1)
    .optional()
    .describe('Instead of source and target: a list of them, each with a weight and its languages if wanted.'),
});

/** Every option of a translation run. */
export const translationRecipe = z.strictObject({
  ...textOptions.shape,
  ...transformerOptions.shape,
  ...trainingOptions.shape,
  ...augmentOptions.shape,
  ...corporaOptions.shape,
});

export type TranslationRecipe = z.output<typeof translationRecipe>;

/** Paths: files may have moved when a run is resumed. */
export const pathOptions = ['source', 'target', 'validSource', 'validTarget', 'cache'] as const;
