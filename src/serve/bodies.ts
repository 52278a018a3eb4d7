// Bodies in the three forms that LibreTranslate takes: JSON, and forms of either kind. Handlers see one record of fields.

import formBody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badRequest } from './errors.ts';

/** Fields that a form can hold; a text that is given again is one more text. */
const MOST_FIELDS = 1000;

/** @param bodyLimit bytes of a body */
export async function addBodies(app: FastifyInstance, bodyLimit: number): Promise<void> {
  await app.register(formBody, { bodyLimit });
  await app.register(multipart, {
    attachFieldsToBody: 'keyValues',
    limits: { fieldSize: bodyLimit, fields: MOST_FIELDS, parts: MOST_FIELDS, files: 0 },
  });
  app.addHook('preValidation', async (request) => {
    if (request.method !== 'POST') return;
    if (isJson(request)) checkRecord(request.body);
    else request.body = { ...(request.query as object), ...fieldsOf(request.body) };
  });
}

function isJson({ headers }: FastifyRequest): boolean {
  return /^application\/(?:[^;]*\+)?json/i.test(headers['content-type'] ?? '');
}

function checkRecord(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badRequest('Invalid JSON format');
}

/** Browsers send CRLF for a line break, LibreTranslate counts and translates LF. */
function fieldsOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, unixLines(value)]));
}

function unixLines(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unixLines);
  return typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : value;
}
