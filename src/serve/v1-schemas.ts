// Requests and answers of heed's own interface, /v1. Requests are checked by these schemas, the OpenAPI document is made
// from them, and the page takes its types from them.

import { z } from 'zod';
import { samplingOptions, searchOptions, textOptions } from '../generate/index.ts';
import type { ServeOptions } from './options.ts';

export type RequestLimits = Pick<
  ServeOptions,
  'maxCharacters' | 'maxTexts' | 'maxAlternatives' | 'maxBeam' | 'maxInspectedPieces'
>;

/** Most terms of a glossary, and most banned phrases: each is looked for in every sentence. */
const MOST_TERMS = 100;
const MOST_TERM_CHARACTERS = 100;
const term = () => z.string().max(MOST_TERM_CHARACTERS);

const wanted = {
  source: z
    .string()
    .min(1)
    .optional()
    .describe('Code of the source language; auto: detect it. Default: the model’s own.'),
  target: z.string().min(1).optional().describe('Code of the target language. Default: the model’s own.'),
  model: z
    .string()
    .min(1)
    .optional()
    .describe('Name of a model, as /v1/models lists it. Default: one that fits the languages.'),
};

const key = {
  api_key: z.string().nullish().describe('API key, where the server asks for one; or as Authorization: Bearer KEY.'),
};

const sampling = z
  .strictObject(samplingOptions)
  .optional()
  .describe('Draw pieces at random instead of searching; {} draws from the model’s own distribution.');

const textFields = {
  prefix: textOptions.prefix,
  ban: z.array(term()).max(MOST_TERMS).optional().describe('Words or phrases that no sentence of the output holds.'),
};

/** How sentences are decoded. */
function decodingFields({ maxBeam, maxAlternatives }: RequestLimits) {
  const { beam, nBest } = searchOptions;
  return {
    ...searchOptions,
    beam: beam
      .unwrap()
      .max(maxBeam)
      .optional()
      .meta({ ...beam.meta(), maximum: maxBeam }),
    nBest: nBest
      .unwrap()
      .max(maxAlternatives + 1)
      .optional()
      .meta({ ...nBest.meta(), maximum: maxAlternatives + 1 }),
    sampling,
    ...textFields,
    glossary: z
      .array(z.strictObject({ source: term().min(1), target: term().min(1) }))
      .max(MOST_TERMS)
      .optional()
      .describe(
        'Terms whose translation is given: where a sentence has the source term, its translation has the target.',
      ),
  };
}

export function translateRequest(limits: RequestLimits) {
  return z.strictObject({
    text: z
      .union([z.string(), z.array(z.string()).max(limits.maxTexts)], {
        error: `must be a text, or a list of at most ${limits.maxTexts}`,
      })
      .describe('A text, or several. Each is split into sentences, which are translated and joined again.'),
    ...wanted,
    split: z.boolean().default(true).describe('Whether texts are split; if not, each is one sentence for the model.'),
    alignment: z.boolean().default(false).describe('Whether to tell which source each piece and word came from.'),
    attention: z.boolean().default(false).describe('Whether to give the attention behind the alignment.'),
    ...decodingFields(limits),
    ...key,
  });
}

/** One text as it is written: greedy search or sampling, which never revise what they have said. */
export function streamRequest(limits: RequestLimits) {
  const whatNeedsABeam = { beam: true, nBest: true, distinct: true, alternatives: true, glossary: true } as const;
  const whatIsNotSaid = { coveragePenalty: true, split: true, alignment: true, attention: true } as const;
  return translateRequest(limits)
    .omit({ ...whatNeedsABeam, ...whatIsNotSaid })
    .extend({ text: z.string().describe('Its sentences are translated one by one.') });
}

/** One sentence and its translation, with all that the model computes for them. */
export function inspectRequest(limits: RequestLimits) {
  const most = limits.maxInspectedPieces;
  return translateRequest(limits)
    .omit({ split: true, alignment: true, attention: true })
    .extend({
      text: z.string().describe(`One sentence of ${most} pieces at most.`),
      translation: z.string().optional().describe('What the decoder is made to read. Default: the model’s own.'),
      tensors: z
        .union([z.enum(['none', 'all']), z.int().min(0)])
        .optional()
        .describe('Intermediate results: none, all, or those of a layer, from 0, of both stacks. Default: none.'),
      search: z.boolean().optional().describe('Whether to show the search for the model’s own translation, as a tree.'),
      candidates: z
        .int()
        .min(1)
        .max(100)
        .optional()
        .describe('Most probable pieces shown at each position (default: 5).'),
      arrays: z
        .enum(['numbers', 'base64'])
        .optional()
        .describe('How arrays are written: numbers, or base64 of little-endian float32. Default: numbers.'),
    });
}

const link = z.object({ source: z.int(), target: z.int() });

const alignment = z.object({
  pieces: z.array(z.int()).describe('For each piece, the index of the source piece that it attended to most.'),
  words: z.array(link).describe('For each word, the word of the source; words are what stands between spaces.'),
});

const translationAnswer = z.object({
  text: z.string(),
  score: z.number().describe('Sum of the log-probabilities over the length penalty.'),
  pieces: z.array(z.string()).describe('What the text is made of; ▁ is a space.'),
  tokens: z.array(z.int()).describe('Ids of the pieces.'),
  logProbabilities: z.array(z.number()).describe('Of each piece, and of the end where the reason is end.'),
  reason: z
    .enum(['end', 'length', 'blocked', 'blank'])
    .describe(
      'Why it ended: by itself, at the greatest length, since all else was banned; blank: there was nothing to translate.',
    ),
  missingTerms: z.array(z.string()).describe('Terms of the glossary that the output has no room for.'),
  alignment: alignment.optional(),
  attention: z.array(z.array(z.number())).optional().describe('[pieces][source pieces]'),
});

const sentenceAnswer = z.object({
  source: z.string(),
  separator: z.string().describe('White space behind the sentence.'),
  targetSeparator: z.string().describe('White space behind its translation: between Chinese sentences there is none.'),
  sourcePieces: z.array(z.string()).describe('What the encoder reads, the end last.'),
  translations: z.array(translationAnswer).describe('Best first.'),
});

const detected = z.object({ language: z.string(), confidence: z.int().min(0).max(100) });

const resultAnswer = z.object({
  text: z.string().describe('The best translation of every sentence, with the white space of the source.'),
  lead: z.string().describe('White space before the first sentence.'),
  sentences: z.array(sentenceAnswer),
});

const chosen = {
  model: z.string(),
  source: z.string().optional(),
  target: z.string().optional(),
  detectedLanguage: detected.optional().describe('If the source was auto.'),
};

export const translateAnswer = z.object({
  ...chosen,
  results: z.array(resultAnswer).describe('One for each text, in order.'),
});

/** The translation of one text at the end of a stream. */
export const streamAnswer = z.object({
  ...chosen,
  ...resultAnswer.shape,
  sentences: z.array(sentenceAnswer.omit({ sourcePieces: true, targetSeparator: true })),
});

export const modelsAnswer = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      directions: z.array(z.object({ source: z.string(), target: z.string() })).describe('None: ask for it by name.'),
      parameters: z.int().describe('Number of learned values.'),
      arithmetic: z.enum(['float32', 'int8']),
      config: z.record(z.string(), z.unknown()).describe('The architecture, as in config.json.'),
      generation: z.record(z.string(), z.unknown()).describe('Its own decoding options.'),
    }),
  ),
});

export type TranslateRequest = z.input<ReturnType<typeof translateRequest>>;
export type StreamRequest = z.input<ReturnType<typeof streamRequest>>;
export type InspectRequest = z.input<ReturnType<typeof inspectRequest>>;
export type TranslateAnswer = z.output<typeof translateAnswer>;
export type StreamAnswer = z.output<typeof streamAnswer>;
export type SentenceAnswer = z.output<typeof sentenceAnswer>;
export type TranslationAnswer = z.output<typeof translationAnswer>;
export type ModelsAnswer = z.output<typeof modelsAnswer>;

/** One of the events of a stream. */
export const streamEvent = z.object({
  event: z.enum(['token', 'done', 'error']),
  data: z.string().describe('JSON: {"text": …}, {"translation": …} or {"error": …}.'),
});

/** The events of /v1/translate/stream, by name. */
export interface StreamEvents {
  /** What is new of the text; all of them together are the text of `done`. */
  readonly token: { readonly text: string };
  readonly done: { readonly translation: StreamAnswer };
  readonly error: { readonly error: string };
}
