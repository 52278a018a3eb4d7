// Checks in front of every route that does work: the API key, the rate limit, the number of requests at once, the timeout.

import rateLimit from '@fastify/rate-limit';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preHandlerAsyncHookHandler,
  RouteShorthandOptions,
} from 'fastify';
import type { ServeOptions } from '../options.ts';
import type { Admission } from './admission.ts';
import { type ApiKeys, keyOf } from './api-keys.ts';
import { RequestError } from './errors.ts';

export interface GuardSetup {
  readonly admission: Admission;
  /** Undefined: no key is needed. */
  readonly keys: ApiKeys | undefined;
  readonly options: Pick<ServeOptions, 'requestsPerMinute'>;
}

type Work = (request: FastifyRequest, signal: AbortSignal, reply: FastifyReply) => Promise<unknown>;

export class Guard {
  private constructor(
    private readonly setup: GuardSetup,
    private readonly limit: preHandlerAsyncHookHandler,
  ) {}

  static async build(app: FastifyInstance, setup: GuardSetup): Promise<Guard> {
    await app.register(rateLimit, { global: false });
    const { keys, options } = setup;
    const limitOf = (request: FastifyRequest) => {
      const key = keyOf(request);
      return (key === undefined ? undefined : keys?.limitOf(key)) ?? options.requestsPerMinute;
    };
    const limit = app.rateLimit({
      timeWindow: 60_000,
      max: limitOf,
      allowList: (request) => limitOf(request) === 0,
      keyGenerator: (request) => (keys && keyOf(request)) ?? request.ip,
      errorResponseBuilder: (_, { max }) => new RequestError(429, `Slowdown: ${max} per 1 minute`),
    });
    return new Guard(setup, limit);
  }

  /** Requires a key, if the server has keys, for every route that is added to the scope afterwards. */
  requireKeys(scope: FastifyInstance): void {
    scope.addHook('preHandler', this.checkKey);
  }

  /** Options of a route that needs a key, if the server has keys, and counts for the rate limit. */
  limited<O extends RouteShorthandOptions>(options: O): O & Pick<RouteShorthandOptions, 'preHandler'> {
    return { ...options, preHandler: [this.checkKey, this.limit] };
  }

  /** A handler that counts as a request under way. `signal` aborts when the answer is no longer wanted. */
  admitted(work: Work): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
    return async (request, reply) => {
      const { signal, release } = this.setup.admission.admit(reply.raw);
      try {
        return await work(request, signal, reply);
      } catch (error) {
        // After an abort the error may be any; the reason of the abort says what happened.
        throw signal.aborted ? signal.reason : error;
      } finally {
        release();
      }
    };
  }

  private readonly checkKey: preHandlerAsyncHookHandler = async (request) => this.setup.keys?.check(keyOf(request));
}
