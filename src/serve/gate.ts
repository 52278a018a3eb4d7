// What stands before the work: the API key, the rate limit, room for one more request, and the end of its time.

import rateLimit from '@fastify/rate-limit';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preHandlerAsyncHookHandler,
  RouteShorthandOptions,
} from 'fastify';
import type { Admission } from './admission.ts';
import { type ApiKeys, keyOf } from './api-keys.ts';
import { RequestError } from './errors.ts';
import type { ServeOptions } from './options.ts';

export interface GateSetup {
  readonly admission: Admission;
  /** Undefined: everybody may translate. */
  readonly keys: ApiKeys | undefined;
  readonly options: Pick<ServeOptions, 'requestsPerMinute'>;
}

type Work = (request: FastifyRequest, signal: AbortSignal, reply: FastifyReply) => Promise<unknown>;

export class Gate {
  private constructor(
    private readonly setup: GateSetup,
    private readonly limit: preHandlerAsyncHookHandler,
  ) {}

  static async build(app: FastifyInstance, setup: GateSetup): Promise<Gate> {
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
    return new Gate(setup, limit);
  }

  /** Asks for a key, where keys are asked for, at every route that the scope gets from now on. */
  lock(scope: FastifyInstance): void {
    scope.addHook('preHandler', this.checkKey);
  }

  /** Options of a route that needs a key, where keys are asked for, and counts for the rate limit. */
  guarded<O extends RouteShorthandOptions>(options: O): O & Pick<RouteShorthandOptions, 'preHandler'> {
    return { ...options, preHandler: [this.checkKey, this.limit] };
  }

  /** A handler that takes a place among the requests at work; `signal` aborts when nobody waits any more. */
  working(work: Work): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
    return async (request, reply) => {
      const { signal, leave } = this.setup.admission.enter(reply.raw);
      try {
        return await work(request, signal, reply);
      } catch (error) {
        // Whatever an abort looks like deep down, its reason is what happened.
        throw signal.aborted ? signal.reason : error;
      } finally {
        leave();
      }
    };
  }

  private readonly checkKey: preHandlerAsyncHookHandler = async (request) => this.setup.keys?.check(keyOf(request));
}
