// LibreTranslate's interface: its fields, status codes and error messages, so that its clients need no change.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../http/errors.ts';
import { described } from '../http/openapi.ts';
import { checked, checkSize, wellFormed } from '../http/validation.ts';
import type { InterfaceSetup } from '../interface.ts';
import { languageName } from '../models/models.ts';
import type { SentenceOptions, ServedModel } from '../models/served-model.ts';
import type { Service } from '../service.ts';
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
} from './schemas.ts';

const forms = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

export function addLibreTranslate(app: FastifyInstance, setup: InterfaceSetup): void {
  const { service, guard, options } = setup;
  const tags = ['LibreTranslate'];

  app.post(
    '/translate',
    guard.limited({
      schema: described({
        summary: 'Translate a text or several',
        tags,
        forms,
        body: translateFields,
        answer: translateFieldsAnswer,
        isWork: true,
      }),
    }),
    guard.admitted((request, signal) => translate(checked(translateFields, request.body), { ...setup, signal })),
  );

  app.post(
    '/detect',
    guard.limited({
      schema: described({
        summary: 'Detect the language of a text',
        tags,
        forms,
        body: detectFields,
        answer: detectAnswer,
        isWork: true,
      }),
    }),
    guard.admitted(async (request) => {
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
        summary: 'List the languages, and which others each can be translated into',
        tags,
        answer: languagesAnswer,
      }),
    },
    () => languagesOf(service),
  );

  app.get(
    '/frontend/settings',
    { schema: described({ summary: 'Settings for a user interface', tags, answer: settingsAnswer }) },
    () => settingsOf(setup),
  );

  addDisabledRoutes(app, tags);
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
  const request = { direction, options: searchFor(alternatives, model), signal };
  const document = { format, versions: alternatives + 1 } as const;
  const results = await Promise.all(
    texts.map(async (text) => resultOf(await service.translateDocument({ ...document, text }, model, request))),
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

/** The beam is the model's own, or wider where the alternatives need it. */
function searchFor(alternatives: number, { ownBeam }: ServedModel): SentenceOptions {
  const count = alternatives + 1;
  return count === 1 ? {} : { nBest: count, beam: Math.max(count, ownBeam), distinct: true };
}

/** Drops alternatives that equal the best version or each other. */
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

/** Features of LibreTranslate that heed lacks, answered as a LibreTranslate server does where they are disabled. */
function addDisabledRoutes(app: FastifyInstance, tags: string[]): void {
  const disabled = (statusCode: number, message: string) => async (_: FastifyRequest, reply: FastifyReply) =>
    reply.code(statusCode).send({ error: message });
  const noFiles = 'Files translation are disabled on this server.';
  const schema = (summary: string, status: number) => ({
    schema: described({ summary, tags, answers: { [status]: errorAnswer } }),
  });
  app.post(
    '/suggest',
    schema('Suggest a translation (disabled)', 403),
    disabled(403, 'Suggestions are disabled on this server.'),
  );
  app.post('/translate_file', schema('Translate a file (disabled)', 403), disabled(403, noFiles));
  app.get('/download_file/:name', schema('Download a translated file (disabled)', 400), disabled(400, noFiles));
}
