// LibreTranslate's interface: its fields, its statuses and its words, so that its clients need no change.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from './errors.ts';
import type { InterfaceSetup } from './interface.ts';
import {
  detectAnswer,
  detectFields,
  errorAnswer,
  type LanguagesAnswer,
  languagesAnswer,
  type SettingsAnswer,
  settingsAnswer,
  type TranslateFields,
  type TranslateFieldsAnswer,
  translateFields,
  translateFieldsAnswer,
} from './libretranslate-schemas.ts';
import { languageName } from './models.ts';
import { described } from './openapi.ts';
import type { SentenceOptions, ServedModel } from './served-model.ts';
import type { Service } from './service.ts';
import { checked, checkSize, wellFormed } from './validation.ts';

const forms = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

export function addLibreTranslate(app: FastifyInstance, setup: InterfaceSetup): void {
  const { service, gate, options } = setup;
  const tags = ['LibreTranslate'];

  app.post(
    '/translate',
    gate.guarded({
      schema: described({
        summary: 'Translate a text or several',
        tags,
        forms,
        body: translateFields,
        answer: translateFieldsAnswer,
        isWork: true,
      }),
    }),
    gate.working((request, signal) => translate(checked(translateFields, request.body), { ...setup, signal })),
  );

  app.post(
    '/detect',
    gate.guarded({
      schema: described({
        summary: 'Detect the language of a text',
        tags,
        forms,
        body: detectFields,
        answer: detectAnswer,
        isWork: true,
      }),
    }),
    gate.working(async (request) => {
      const { q } = checked(detectFields, request.body);
      const texts = textsOf(q);
      checkSize(texts, options);
      return service.detect(texts);
    }),
  );

  app.get(
    '/languages',
    {
      schema: described({
        summary: 'Languages, and which others each can be translated into',
        tags,
        answer: languagesAnswer,
      }),
    },
    () => languagesOf(service),
  );

  app.get(
    '/frontend/settings',
    { schema: described({ summary: 'What a user interface needs to know', tags, answer: settingsAnswer }) },
    () => settingsOf(setup),
  );

  addWhatIsSwitchedOff(app, tags);
}

interface Work extends InterfaceSetup {
  readonly signal: AbortSignal;
}

async function translate(fields: TranslateFields, work: Work): Promise<TranslateFieldsAnswer> {
  const { q, source, target, alternatives } = fields;
  const { service, options, signal } = work;
  if (alternatives > options.maxAlternatives)
    throw new RequestError(400, `Invalid request: alternatives parameter must be <= ${options.maxAlternatives}`);
  const texts = textsOf(q);
  checkSize(texts, options);
  const format = fields.format || 'text';
  if (format !== 'text' && format !== 'html') throw new RequestError(400, `${format} format is not supported`);
  const detected = source === 'auto' ? await service.detectSource({ texts, format, target }) : undefined;
  const direction = { source: detected?.language ?? source, target };
  const model = service.models.forDirection(direction);
  const asked = { direction, options: searchFor(alternatives, model), signal };
  const document = { format, versions: alternatives + 1 } as const;
  const results = await Promise.all(
    texts.map(async (text) => resultOf(await service.translateDocument({ ...document, text }, model, asked))),
  );
  const each = <T>(values: readonly T[]) => (Array.isArray(q) ? [...values] : values[0]);
  return {
    translatedText: each(results.map(({ text }) => text)),
    ...(detected === undefined ? {} : { detectedLanguage: each(texts.map(() => detected)) }),
    ...(alternatives === 0 ? {} : { alternatives: each(results.map((result) => result.alternatives)) }),
  };
}

interface Result {
  readonly text: string;
  readonly alternatives: string[];
}

/** The widest of the model's own beam and what is needed for the alternatives. */
function searchFor(alternatives: number, { ownBeam }: ServedModel): SentenceOptions {
  const count = alternatives + 1;
  return count === 1 ? {} : { nBest: count, beam: Math.max(count, ownBeam), distinct: true };
}

/** Alternatives differ from the best and from each other. */
function resultOf(versions: readonly string[]): Result {
  const [text, ...alternatives] = new Set(versions);
  return { text, alternatives };
}

function textsOf(q: string | readonly string[]): string[] {
  return [q].flat().map(wellFormed);
}

function languagesOf({ models }: Service): LanguagesAnswer {
  return models.languages.map((code) => ({
    code,
    name: languageName(code),
    targets: models.directions.filter(({ source }) => source === code).map(({ target }) => target),
  }));
}

function settingsOf({ service, options }: InterfaceSetup): SettingsAnswer {
  const [first] = service.models.directions;
  const target = first?.target ?? 'en';
  return {
    charLimit: options.maxCharacters,
    frontendTimeout: 500,
    apiKeys: options.apiKeys !== undefined,
    keyRequired: options.apiKeys !== undefined,
    suggestions: false,
    filesTranslation: false,
    supportedFilesFormat: [],
    language: {
      source: { code: 'auto', name: 'Auto Detect' },
      target: { code: target, name: languageName(target) },
    },
  };
}

/** What LibreTranslate can do beside, in its words for a server where it is switched off. */
function addWhatIsSwitchedOff(app: FastifyInstance, tags: string[]): void {
  const off = (statusCode: number, message: string) => async (_: FastifyRequest, reply: FastifyReply) =>
    reply.code(statusCode).send({ error: message });
  const noFiles = 'Files translation are disabled on this server.';
  const schema = (summary: string, status: number) => ({
    schema: described({ summary, tags, answers: { [status]: errorAnswer } }),
  });
  app.post(
    '/suggest',
    schema('Suggest a translation: switched off', 403),
    off(403, 'Suggestions are disabled on this server.'),
  );
  app.post('/translate_file', schema('Translate a file: switched off', 403), off(403, noFiles));
  app.get('/download_file/:name', schema('Fetch a translated file: switched off', 400), off(400, noFiles));
}
