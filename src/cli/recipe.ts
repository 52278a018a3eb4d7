// Everything that a training run is told: the recipe. Presets are recipes by name; a file and flags refine them.

import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { transformerOptions } from '../architectures/index.ts';
import { HeedError } from '../base/error.ts';
import { didYouMean } from '../base/nearest.ts';
import { maxCachedLength } from '../data/index.ts';
import { BLEU_TOKENIZERS } from '../metrics/index.ts';
import { changeableOptions, trainingOptions } from '../train/index.ts';

const language = () => z.string().regex(/^[\p{L}\p{N}_-]+$/u, 'must be letters, digits, - and _, such as zh or pt-BR');

/** Text and files. */
const textOptions = z.strictObject({
  source: z.string().optional().describe('Source side of the corpus, a sentence a line (.gz is read too).'),
  target: z.string().optional().describe('Target side, line by line.'),
  validSource: z.string().optional().describe('Source side of held-out text, for validation.'),
  validTarget: z.string().optional().describe('Target side of held-out text.'),
  sourceLanguage: language()
    .optional()
    .describe('Language of the source, such as en: what heed translate --from and servers call it.'),
  targetLanguage: language()
    .optional()
    .describe('Language of the target, such as de; several corpora name theirs each.'),
  validTargetLanguage: language()
    .optional()
    .describe('Which of the corpora’s target languages the held-out text is in.'),
  cache: z
    .string()
    .optional()
    .describe(
      'Folder of encoded corpora, to be shared by runs on the same text; default: the model’s training folder.',
    ),
  vocabulary: z.enum(['joint', 'separate']).default('joint').describe('One tokenizer for both sides, or one for each.'),
  merges: z.int().min(0).default(10000).describe('Merges of byte-pair encoding to learn.'),
  split: z
    .enum(['categories', 'spaces'])
    .default('categories')
    .describe('Words end at spaces and between letters, digits and signs; or at spaces only, for tokenised text.'),
  lowercase: z.boolean().default(false).describe('Lower-case text before it is encoded (cannot be undone).'),
  normalization: z.enum(['none', 'nfc', 'nfkc']).default('none').describe('Unicode normalisation of text.'),
  maxLength: z
    .int()
    .positive()
    .lt(maxCachedLength)
    .default(256)
    .describe('Pieces of a side; longer pairs are left out of training.'),
  maxRatio: z.number().min(1).default(9).describe('Ratio of the sides’ lengths; more unlike pairs are left out.'),
  validBleu: z.boolean().default(true).describe('Translate the held-out text (greedy) at each validation: BLEU.'),
  bleuTokenize: z
    .enum(BLEU_TOKENIZERS)
    .optional()
    .describe('Tokenizer of that BLEU; default: zh for Chinese, 13a for other languages.'),
  samples: z
    .int()
    .min(0)
    .optional()
    .describe('Held-out sentences whose translations are logged at each validation (default: 3); 0: none.'),
});

/** Pairs made anew each time they are learned from. */
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

/** Options that are flags too. */
export const flagOptions = z.strictObject({
  ...textOptions.shape,
  ...transformerOptions.shape,
  ...trainingOptions.shape,
  ...augmentOptions.shape,
});

export const recipeOptions = z.strictObject({ ...flagOptions.shape, ...corporaOptions.shape });

export type Recipe = z.output<typeof recipeOptions>;

/** What a resumed run may be told anew: files may have moved (what they hold is checked), and see `changeableOptions`. */
export const changeableKeys: readonly string[] = [
  ...['source', 'target', 'validSource', 'validTarget', 'cache'],
  ...changeableOptions,
];

type PartialRecipe = Partial<z.input<typeof recipeOptions>>;

/**
 * The paper's base model (table 3, sections 5 and 6.1): batches of about 25,000 source and 25,000 target tokens; the last 5
 * checkpoints averaged, written every ten minutes, which were 1,500 steps of 0.4 s.
 */
const paperBase: PartialRecipe = {
  ...{ merges: 37_000, maxTokens: 25_000, steps: 100_000 },
  ...{ validateEvery: 1500, averageLast: 5 },
};

/** The paper's big model: 300,000 steps of 1.0 s, the last 20 checkpoints. (Dropout 0.3 is for English–German.) */
const paperBig: PartialRecipe = {
  ...{ dModel: 1024, dInner: 4096, heads: 16, dropout: 0.3 },
  ...{ merges: 37_000, maxTokens: 25_000, steps: 300_000 },
  ...{ validateEvery: 600, averageLast: 20 },
};

export const presets: Readonly<Record<string, PartialRecipe>> = {
  /** Transformer-Tiny for small corpora (Wu et al., ACL 2021). */
  tiny: {
    ...{ dModel: 128, dInner: 256, heads: 4, encoderLayers: 4, decoderLayers: 4, dropout: 0.3 },
    ...{ schedule: 'inverse-sqrt', peakRate: 0.005, warmupSteps: 2000, maxTokens: 4096, accumulate: 2 },
    ...{ steps: 8000, patience: 10, averageLast: 10 },
  },
  /** For some ten thousand to a few hundred thousand pairs on a laptop. */
  small: {
    ...{ dModel: 256, dInner: 512, heads: 8, encoderLayers: 3, decoderLayers: 3 },
    ...{ schedule: 'inverse-sqrt', peakRate: 1e-3, warmupSteps: 800, maxTokens: 1800 },
    ...{ epochs: 10, averageLast: 3 },
  },
  base: paperBase,
  'paper-base': paperBase,
  big: paperBig,
  'paper-big': paperBig,
};

export interface GivenOptions {
  readonly preset?: string | undefined;
  readonly config?: string | undefined;
  readonly flags: Record<string, unknown>;
}

/** What the user said, without defaults: preset < configuration file < flags. */
export async function givenOptions(given: GivenOptions): Promise<Record<string, unknown>> {
  const fromFile = given.config === undefined ? {} : await readConfigFile(given.config);
  const { preset: presetInFile, ...fileOptions } = fromFile;
  const name = given.preset ?? presetInFile;
  const preset = name === undefined ? {} : presetNamed(String(name));
  if (given.config !== undefined) checkKeys(fileOptions, given.config);
  return { ...preset, ...fileOptions, ...given.flags };
}

function presetNamed(name: string): PartialRecipe {
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (preset !== undefined) return preset;
  const known = Object.keys(presets);
  throw new HeedError('--preset', `unknown preset ${name}${didYouMean(name, known)} Known: ${known.join(', ')}.`);
}

async function readConfigFile(path: string): Promise<Record<string, unknown>> {
  let content: unknown;
  try {
    content = parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new HeedError(path, `cannot be read as YAML: ${(cause as Error).message.split('\n')[0]}`, { cause });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new HeedError(path, 'must hold options, one `key: value` a line.');
  }
  return Object.fromEntries(Object.entries(content));
}

function checkKeys(options: Record<string, unknown>, place: string): void {
  for (const key of Object.keys(options)) {
    if (key in recipeOptions.shape) continue;
    throw new HeedError(place, `unknown key ${key}${didYouMean(key, Object.keys(recipeOptions.shape))}`);
  }
}

/** The part of a recipe that a schema describes. */
export function pickOptions<S extends z.ZodObject>(schema: S, recipe: Recipe): z.output<S> {
  const part = Object.entries(recipe).filter(([key, value]) => key in schema.shape && value !== undefined);
  return schema.parse(Object.fromEntries(part));
}
