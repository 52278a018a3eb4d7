// The OpenAPI document, generated from the schemas that validate requests, and its page at /docs, which loads nothing from
// other hosts.

import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { z } from 'zod';
import { errorAnswer } from '../libretranslate/schemas.ts';

interface Endpoint {
  readonly summary: string;
  readonly description?: string;
  readonly tags: string[];
  /** Content types of the body; default JSON. */
  readonly forms?: string[];
  readonly body?: z.ZodType;
  /** The body of status 200; default: none. */
  readonly answer?: z.ZodType;
  /** The bodies of other status codes. */
  readonly answers?: Readonly<Record<number, z.ZodType>>;
  /** Content type of status 200, if it is not JSON. */
  readonly produces?: string;
  /** Whether it needs a key and counts for the limits, as translating does. Default false. */
  readonly isWork?: boolean;
}

const refusals = {
  400: 'The request is invalid, or needs an API key.',
  403: 'The API key is unknown.',
  413: 'The body is too large.',
  415: 'The content type of the body is not supported.',
  429: 'Too many requests a minute; Retry-After says when to retry.',
  500: 'An error of the server.',
  503: 'Too many requests at once, or the server is stopping; Retry-After says when to retry.',
  504: 'The request timed out.',
};

/** The schema of a route for the OpenAPI document. The handlers validate requests themselves. */
export function described(endpoint: Endpoint): FastifySchema {
  const { summary, description, tags, forms, body, answer, answers = {}, produces, isWork = false } = endpoint;
  const failures = isWork ? Object.entries(refusals).map(([status, why]) => [status, failure(why)]) : [];
  const others = Object.entries(answers).map(([status, schema]) => [status, jsonSchema(schema, 'output')]);
  const shape = answer && jsonSchema(answer, 'output');
  const good = produces === undefined ? shape : otherKind(produces, shape);
  return {
    summary,
    ...(description === undefined ? {} : { description }),
    tags,
    ...(body === undefined ? {} : { consumes: forms ?? ['application/json'], body: jsonSchema(body, 'input') }),
    response: { ...(good === undefined ? {} : { 200: good }), ...Object.fromEntries([...failures, ...others]) },
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io });
  return io === 'output' ? { description: 'The answer.', ...json } : json;
}

function failure(description: string) {
  return { ...jsonSchema(errorAnswer, 'output'), description };
}

function otherKind(type: string, schema: object = { type: 'string' }) {
  return { description: 'The answer.', content: { [type]: { schema } } };
}

const description = `
Translation with heed. There are two interfaces: LibreTranslate's, for its clients, and heed's own under /v1, which returns every
decoding result. If the server requires API keys, send yours as \`api_key\` or as \`Authorization: Bearer KEY\`.`.trim();

/** Must be called before the routes are added. */
export async function addOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'heed', version, description },
      tags: [
        { name: 'heed', description: 'Translation with every decoding result.' },
        { name: 'LibreTranslate', description: 'The interface of LibreTranslate.' },
        { name: 'Training', description: 'Training runs of heed train.' },
        { name: 'Server', description: 'Health and metrics.' },
      ],
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: [{}, { key: [] }],
    },
  });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true, indexPrefix: '' });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
