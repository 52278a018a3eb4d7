// Request bodies of the three types that LibreTranslate accepts: JSON, URL-encoded and multipart forms. Handlers get a
// record of fields.

import formBody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badRequest } from './errors.ts';

/** @param bodyLimit largest body in bytes */
export async function addBodies(app: FastifyInstance, bodyLimit: number): Promise<void> {
  await app.register(formBody, { bodyLimit });
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit },
    (request: FastifyRequest, body: Buffer) =>
      multipartFields(request.headers['content-type'] ?? '', Buffer.from(body)),
  );
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

/** Files are ignored, since no route accepts any. A field that occurs several times is a list. */
async function multipartFields(type: string, body: Buffer<ArrayBuffer>): Promise<Record<string, string | string[]>> {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
    throw badRequest('the body is not multipart/form-data');
  });
  const names = [...new Set(form.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const texts = form.getAll(name).filter((value) => typeof value === 'string');
      return [name, texts.length === 1 ? texts[0] : texts];
    }),
  );
}

/** Browsers send line breaks as CRLF; LibreTranslate counts and translates LF. */
function fieldsOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, unixLines(value)]));
}

function unixLines(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unixLines);
  return typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : value;
}
