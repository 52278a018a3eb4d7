// The server as a whole: models behind two HTTP interfaces, what applies to all routes, and how it starts and stops.

import type { Writable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { HeedError } from '../base/error.ts';
import { errorCode } from '../base/file-error.ts';
import { Admission, stoppingError } from './http/admission.ts';
import { ApiKeys } from './http/api-keys.ts';
import { addBodies } from './http/bodies.ts';
import { answerError, answerUnknown } from './http/errors.ts';
import { Guard } from './http/guard.ts';
import { gatherMethods } from './http/methods.ts';
import { addOpenApi } from './http/openapi.ts';
import { addLibreTranslate } from './libretranslate/routes.ts';
import { Metrics } from './metrics.ts';
import type { ModelFolder } from './models/model-names.ts';
import type { ServeOptions } from './options.ts';
import { addPage } from './page.ts';
import { addRuns, type RunsOptions } from './runs/routes.ts';
import { Service } from './service.ts';
import { addStatus } from './status.ts';
import { addV1 } from './v1/routes.ts';

export interface ServerSetup {
  readonly models: readonly ModelFolder[];
  readonly options: ServeOptions;
  /** Training runs to show; default: none. */
  readonly runs?: RunsOptions | undefined;
  /** Of the package, for the OpenAPI document. */
  readonly version: string;
  /** Where the log goes; default: nowhere. */
  readonly log?: Writable | undefined;
  /** Folder of the built page; default: the package's own. */
  readonly page?: string | undefined;
}

/** A request that has not fully arrived within this time is dropped. */
const REQUEST_MS = 30_000;

/**
 * A form encodes a character in nine bytes at most (%E4%BD%A0), JSON in six (\u4F60); the overhead is other fields and
 * line breaks.
 */
const BYTES_PER_CHARACTER = 9;
const OVERHEAD_BYTES = 65_536;

export class HeedServer {
  private constructor(
    /** For tests, and for adding routes before it listens. */
    readonly app: FastifyInstance,
    private readonly service: Service,
    private readonly admission: Admission,
  ) {}

  /**
   * Loads the models and builds the server, which does not listen yet.
   * @throws HeedError for mistakes in models or options
   */
  static async build(setup: ServerSetup): Promise<HeedServer> {
    const { options, runs = { runs: [] } } = setup;
    const keys = options.apiKeys === undefined ? undefined : await ApiKeys.load(options.apiKeys);
    const admission = new Admission(options);
    const metrics = new Metrics(() => admission.requests);
    const service = await Service.start(setup.models, options, metrics);
    const app = createApp(setup);
    addCommonHooks(app, { admission, metrics });
    await addOpenApi(app, setup.version);
    await addBodies(app, bodyLimitOf(options));
    const guard = await Guard.build(app, { admission, keys, options });
    addLibreTranslate(app, { service, guard, options });
    addV1(app, { service, guard, options });
    addStatus(app, metrics);
    await app.register(async (scope) => {
      guard.requireKeys(scope);
      await addRuns(scope, runs);
    });
    await addPage(app, setup.page);
    await app.ready();
    return new HeedServer(app, service, admission);
  }

  /** Starts to listen, and returns the address. @throws HeedError if that address is not available */
  async listen({ host, port }: Pick<ServeOptions, 'host' | 'port'>): Promise<string> {
    try {
      return await this.app.listen({ host, port });
    } catch (cause) {
      const reason = unavailable[errorCode(cause) ?? ''];
      if (reason === undefined) throw cause;
      throw new HeedError(`${host}:${port}`, reason, { cause });
    }
  }

  /** Stops accepting requests, waits for those under way, and releases the models. */
  async stop(): Promise<void> {
    await this.admission.close();
    await this.app.close();
    await this.service.release();
  }
}

const unavailable: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there; choose another --port.',
  EADDRNOTAVAIL: 'this machine has no such address; choose another --host.',
  ENOTFOUND: 'there is no host of that name; choose another --host.',
  EACCES: 'listening there is not permitted; choose a --port above 1023.',
};

function createApp({ options, log }: ServerSetup): FastifyInstance {
  const app = Fastify({
    logger: log === undefined || options.logLevel === 'silent' ? false : { level: options.logLevel, stream: log },
    bodyLimit: bodyLimitOf(options),
    requestTimeout: REQUEST_MS,
    trustProxy: options.trustProxy,
    // Idle keep-alive connections must not keep the server from closing.
    forceCloseConnections: 'idle',
  });
  app.setErrorHandler(answerError);
  // Handlers validate by the zod schemas that the OpenAPI document is made from.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  return app;
}

function bodyLimitOf({ maxCharacters }: ServeOptions): number {
  return maxCharacters * BYTES_PER_CHARACTER + OVERHEAD_BYTES;
}

/** What applies to every route: unknown addresses, CORS, metrics. */
function addCommonHooks(
  app: FastifyInstance,
  { admission, metrics }: { admission: Admission; metrics: Metrics },
): void {
  const methodsOf = gatherMethods(app);
  const refuse = (request: FastifyRequest, reply: FastifyReply) =>
    answerUnknown(request, reply, methodsOf(request.url.split('?')[0]));
  app.setNotFoundHandler(refuse);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(crossOrigin);
    if (admission.isStopping) {
      reply.header('connection', 'close');
      throw stoppingError();
    }
    // Before Fastify parses a body that no handler would read.
    return request.is404 ? refuse(request, reply) : undefined;
  });
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    metrics.answered({ endpoint: routeOptions.url ?? 'none', method, status: statusCode, seconds: elapsedTime / 1000 });
  });
  app.options('*', { schema: { hide: true } }, async (_, reply) => reply.code(204).send());
}

/** As LibreTranslate answers: pages of any origin may use the server, which sets no cookies. */
const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'Authorization, Content-Type',
  'access-control-expose-headers': 'Authorization, Retry-After',
  'access-control-allow-methods': 'GET, POST',
  'access-control-max-age': '1728000',
  'x-content-type-options': 'nosniff',
};
