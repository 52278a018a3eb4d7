// Error responses: a status code, and one sentence as `{"error": …}`.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isHeedError } from '../../base/error.ts';

/** A request that is refused or has failed, with its status code. */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    readonly statusCode: number,
    message: string,
    /** For the header Retry-After. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

export function badRequest(message: string): RequestError {
  return new RequestError(400, `Invalid request: ${message}`);
}

/** The error handler of all routes. Unexpected errors are logged, and the client gets no details of them. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, message, retryAfterSeconds } = answerTo(error);
  if (statusCode === 500) request.log.error({ error: error.stack ?? error.message }, 'request failed');
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  reply.code(statusCode).send({ error: message });
}

/** The status code and message for an error, also for a stream that has already begun to answer. */
export function answerTo(error: FastifyError | Error): RequestError {
  if (error instanceof RequestError) return error;
  // Options and texts that the translator refuses, in its own words.
  if (isHeedError(error)) return badRequest(error.message);
  // Fastify's own errors: bodies that are too large, malformed, or of an unknown type.
  if ('statusCode' in error && error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new RequestError(error.statusCode, error.message);
  return new RequestError(500, 'the translation failed; the server has logged why');
}

/** 405 if the address has other methods, else 404. */
export function answerUnknown(request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): FastifyReply {
  const path = request.url.split('?')[0];
  if (allowed.length === 0) return reply.code(404).send({ error: `${path} is not here; /docs lists what is.` });
  const methods = allowed.join(', ');
  return reply
    .code(405)
    .header('allow', methods)
    .send({ error: `${path} takes ${methods} only.` });
}
