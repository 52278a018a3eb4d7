// Requests and answers of LibreTranslate's interface, with its field names. Unknown fields are ignored, as
// LibreTranslate does: clients send fields of their own.

import { z } from 'zod';

const texts = z
  .union([z.string().min(1), z.array(z.string()).min(1)], { error: 'must be a text or a list of texts' })
  .describe('Text or texts to translate.');

const code = (description: string) => z.string().min(1).describe(description);

const key = {
  api_key: z.string().nullish().describe('API key, if the server requires one.'),
};

export const translateFields = z.object({
  q: texts,
  source: code('Source language code, or auto.'),
  target: code('Target language code.'),
  format: z
    .string()
    .nullish()
    .meta({ enum: ['text', 'html', '', null] })
    .describe('Format of the texts; default text.'),
  alternatives: z
    .union([z.number(), z.string().refine((text) => Number.isFinite(Number(text)), 'must be a number')], {
      error: 'must be a number',
    })
    .nullish()
    .transform((value) => Math.max(0, Math.trunc(Number(value ?? 0))))
    .describe('Preferred number of alternative translations.'),
  ...key,
});

export const detectFields = z.object({
  q: texts.describe('Text to detect the language of.'),
  ...key,
});

const detection = z.object({
  confidence: z.int().min(0).max(100),
  language: z.string(),
});

const each = <S extends z.ZodType>(schema: S) => z.union([schema, z.array(schema)]);

export const translateFieldsAnswer = z.object({
  translatedText: each(z.string()).describe('A list if q was one.'),
  detectedLanguage: each(detection).optional().describe('If source was auto.'),
  alternatives: each(z.array(z.string())).optional().describe('If any were requested.'),
});

export const detectAnswer = z.array(detection).describe('Most probable first.');

export const languagesAnswer = z.array(
  z.object({
    code: z.string(),
    name: z.string(),
    targets: z.array(z.string()).describe('Languages it can be translated into.'),
  }),
);

const language = z.object({ code: z.string(), name: z.string() });

export const settingsAnswer = z.object({
  charLimit: z.int().describe('Maximum number of characters in a request.'),
  frontendTimeout: z.int().describe('Milliseconds between typing and translating.'),
  apiKeys: z.boolean(),
  keyRequired: z.boolean(),
  suggestions: z.boolean(),
  filesTranslation: z.boolean(),
  supportedFilesFormat: z.array(z.string()),
  language: z.object({ source: language, target: language }),
});

export const errorAnswer = z.object({ error: z.string() });

export type TranslateFields = z.output<typeof translateFields>;
export type TranslateFieldsAnswer = z.output<typeof translateFieldsAnswer>;
export type LanguagesAnswer = z.output<typeof languagesAnswer>;
export type SettingsAnswer = z.output<typeof settingsAnswer>;
