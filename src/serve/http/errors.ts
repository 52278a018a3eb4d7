// What a client is told when a request is not answered: a status, and one sentence as `{"error": …}`.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isHeedError } from '../../base/error.ts';

/** A request that is refused or has failed, with the status that says so. */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    readonly statusCode: number,
    message: string,
    /** When it makes sense to ask again. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

export function badRequest(message: string): RequestError {
  return new RequestError(400, `Invalid request: ${message}`);
}

/** Answers whatever was thrown. What is neither the client's fault nor foreseen is logged, and told in no detail. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, message, retryAfterSeconds } = answerTo(error);
  if (statusCode === 500) request.log.error({ error: error.stack ?? error.message }, 'request failed');
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  reply.code(statusCode).send({ error: message });
}

/** The same for an answer that has begun: what can be told is told in the stream. */
export function answerTo(error: FastifyError | Error): RequestError {
  if (error instanceof RequestError) return error;
  // Options and texts that a model refuses: decoding's own rules, in its own words.
  if (isHeedError(error)) return badRequest(error.message);
  // Fastify's own refusals: bodies that are too large, broken, or of an unknown type.
  if ('statusCode' in error && error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new RequestError(error.statusCode, error.message);
  return new RequestError(500, 'the translation failed; the server has logged why');
}

/** 405 where other methods would be answered, else 404. */
export function answerUnknown(request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): FastifyReply {
  const path = request.url.split('?')[0];
  if (allowed.length === 0) return reply.code(404).send({ error: `${path} is not here; /docs lists what is.` });
  const methods = allowed.join(', ');
  return reply
    .code(405)
    .header('allow', methods)
    .send({ error: `${path} takes ${methods} only.` });
}
