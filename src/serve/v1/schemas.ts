// Requests and answers of heed's own interface, /v1. These schemas validate the requests; the OpenAPI document and the
// types of the page are derived from them.

import { z } from 'zod';
import { samplingOptions, searchOptions, textOptions } from '../../generate/index.ts';
import type { ServeOptions } from '../options.ts';

export type RequestLimits = Pick<
  ServeOptions,
  'maxCharacters' | 'maxTexts' | 'maxAlternatives' | 'maxBeam' | 'maxInspectedPieces'
>;

/** Most terms of a glossary, and most banned phrases: every sentence is searched for each of them. */
const MOST_TERMS = 100;
const MOST_TERM_CHARACTERS = 100;
const term = () => z.string().max(MOST_TERM_CHARACTERS);

const wanted = {
  source: z
    .string()
    .min(1)
    .optional()
    .describe('Code of the source language; auto detects it. Default: the language of the model.'),
  target: z.string().min(1).optional().describe('Code of the target language. Default: the language of the model.'),
  model: z
    .string()
    .min(1)
    .optional()
    .describe('Name of a model, as /v1/models lists it. Default: one that fits the languages.'),
};

const key = {
  api_key: z.string().nullish().describe('API key, if the server requires one; or as Authorization: Bearer KEY.'),
};

const sampling = z
  .strictObject(samplingOptions)
  .optional()
  .describe('Sample pieces at random instead of searching; {} samples from the unmodified distribution of the model.');

const textFields = {
  prefix: textOptions.prefix,
  ban: z.array(term()).max(MOST_TERMS).optional().describe('Words or phrases that the output must not contain.'),
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
        'Terms with their translation: if a sentence contains the source term, its translation contains the target term.',
      ),
  };
}

export function translateRequest(limits: RequestLimits) {
  return z.strictObject({
    text: z
      .union([z.string(), z.array(z.string()).max(limits.maxTexts)], {
        error: `must be a text, or a list of at most ${limits.maxTexts}`,
      })
      .describe('A text or a list of texts. Each is split into sentences, which are translated and joined again.'),
    ...wanted,
    split: z
      .boolean()
      .default(true)
      .describe('Whether to split texts into sentences; if not, each text is translated as one sentence.'),
    alignment: z
      .boolean()
      .default(false)
      .describe('Whether to return the source piece of each piece, and the source word of each word.'),
    attention: z
      .boolean()
      .default(false)
      .describe('Whether to return the attention weights that the alignment is made from.'),
    ...decodingFields(limits),
    ...key,
  });
}

/** One text, streamed while it is translated: greedy search or sampling, which never revise their output. */
export function streamRequest(limits: RequestLimits) {
  const needsBeam = { beam: true, nBest: true, distinct: true, alternatives: true, glossary: true } as const;
  const notInEvents = { coveragePenalty: true, split: true, alignment: true, attention: true } as const;
  return translateRequest(limits)
    .omit({ ...needsBeam, ...notInEvents })
    .extend({ text: z.string().describe('Its sentences are translated one by one.') });
}

/** One sentence and its translation, with everything that the model computes for them. */
export function inspectRequest(limits: RequestLimits) {
  const most = limits.maxInspectedPieces;
  return translateRequest(limits)
    .omit({ split: true, alignment: true, attention: true })
    .extend({
      text: z.string().describe(`One sentence of ${most} pieces at most.`),
      translation: z
        .string()
        .optional()
        .describe('The translation that the decoder reads. Default: the model’s own translation.'),
      tensors: z
        .union([z.enum(['none', 'all']), z.int().min(0)])
        .optional()
        .describe(
          'Intermediate results: none, all, or those of one layer (from 0) of encoder and decoder. Default: none.',
        ),
      search: z
        .boolean()
        .optional()
        .describe('Whether to return the tree of the search for the model’s own translation.'),
      candidates: z
        .int()
        .min(1)
        .max(100)
        .optional()
        .describe('How many of the most probable pieces to return at each position. Default: 5.'),
      arrays: z
        .enum(['numbers', 'base64'])
        .optional()
        .describe('Format of arrays: numbers, or base64 of little-endian float32. Default: numbers.'),
    });
}

const link = z.object({ source: z.int(), target: z.int() });

const alignment = z.object({
  pieces: z.array(z.int()).describe('For each piece, the index of the source piece that it attended to most.'),
  words: z.array(link).describe('Pairs of words, which are separated by spaces.'),
});

const translationAnswer = z.object({
  text: z.string(),
  score: z.number().describe('Sum of the log-probabilities, divided by the length penalty.'),
  pieces: z.array(z.string()).describe('The subwords of the text; ▁ is a space.'),
  tokens: z.array(z.int()).describe('Ids of the pieces.'),
  logProbabilities: z.array(z.number()).describe('Of each piece, and of the end token if the reason is end.'),
  reason: z
    .enum(['end', 'length', 'blocked', 'blank'])
    .describe(
      'Why it ended: end: by the end token; length: at the maximum length; blocked: every next piece was banned; blank: there was nothing to translate.',
    ),
  missingTerms: z.array(z.string()).describe('Terms of the glossary that did not fit into the output.'),
  alignment: alignment.optional(),
  attention: z.array(z.array(z.number())).optional().describe('[pieces][source pieces]'),
});

const sentenceAnswer = z.object({
  source: z.string(),
  separator: z.string().describe('White space after the sentence.'),
  targetSeparator: z
    .string()
    .describe('White space after its translation: none between Chinese sentences, for example.'),
  sourcePieces: z.array(z.string()).describe('The input of the encoder, with the end token.'),
  translations: z.array(translationAnswer).describe('Best first.'),
});

const detected = z.object({ language: z.string(), confidence: z.int().min(0).max(100) });

const resultAnswer = z.object({
  text: z.string().describe('The best translations of the sentences, with the white space between them.'),
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
      directions: z
        .array(z.object({ source: z.string(), target: z.string() }))
        .describe('Empty: select the model by its name.'),
      parameters: z.int().describe('Number of learned values.'),
      arithmetic: z.enum(['float32', 'int8']),
      config: z.record(z.string(), z.unknown()).describe('The architecture, as in config.json.'),
      generation: z.record(z.string(), z.unknown()).describe('Its default decoding options.'),
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
  /** The text that is new; all of it together is the text of `done`. */
  readonly token: { readonly text: string };
  readonly done: { readonly translation: StreamAnswer };
  readonly error: { readonly error: string };
}
