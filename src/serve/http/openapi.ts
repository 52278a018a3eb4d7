// The OpenAPI document, made from the schemas that check requests, and its page at /docs. Nothing is loaded from elsewhere.

import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { z } from 'zod';
import { errorAnswer } from '../libretranslate/schemas.ts';

interface Endpoint {
  readonly summary: string;
  readonly description?: string;
  readonly tags: string[];
  /** Kinds of body; default JSON. */
  readonly forms?: string[];
  readonly body?: z.ZodType;
  /** Of status 200; default: none. */
  readonly answer?: z.ZodType;
  /** Of other statuses. */
  readonly answers?: Readonly<Record<number, z.ZodType>>;
  /** Kind of the answer of status 200, where that is not JSON. */
  readonly produces?: string;
  /** Whether it is guarded and limited, as translating is. Default false. */
  readonly isWork?: boolean;
}

const refusals = {
  400: 'The request is wrong, or needs an API key.',
  403: 'The API key is unknown.',
  413: 'The body is too large.',
  415: 'The kind of body is unknown.',
  429: 'Too many requests a minute; Retry-After says when to come back.',
  500: 'A fault of the server.',
  503: 'Too many requests at once, or the server is stopping; Retry-After says when to come back.',
  504: 'It took too long.',
};

/** The schema of a route as the OpenAPI document shows it. Checking is the handler's work. */
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
Translation with heed. Two interfaces: LibreTranslate's, which its clients know, and heed's own under /v1, which tells all that
decoding knows. Where the server asks for API keys, send yours as \`api_key\` or as \`Authorization: Bearer KEY\`.`.trim();

/** Must come before the routes. */
export async function addOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'heed', version, description },
      tags: [
        { name: 'heed', description: 'All that decoding knows.' },
        { name: 'LibreTranslate', description: 'As LibreTranslate answers.' },
        { name: 'Training', description: 'Runs of heed train.' },
        { name: 'Server', description: 'How the server is.' },
      ],
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: [{}, { key: [] }],
    },
  });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true, indexPrefix: '' });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
