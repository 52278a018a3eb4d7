// The server as a whole: models behind two interfaces, what surrounds them, and how it starts and stops.

import type { Writable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { HeedError } from '../base/error.ts';
import { errorCode } from '../base/file-error.ts';
import { Admission, stoppingError } from './admission.ts';
import { ApiKeys } from './api-keys.ts';
import { addBodies } from './bodies.ts';
import { answerError, answerUnknown } from './errors.ts';
import { Gate } from './gate.ts';
import { addLibreTranslate } from './libretranslate.ts';
import { gatherMethods } from './methods.ts';
import { Metrics } from './metrics.ts';
import type { ModelFolder } from './model-names.ts';
import { addOpenApi } from './openapi.ts';
import type { ServeOptions } from './options.ts';
import { addPage } from './page.ts';
import { addRuns, type RunsOptions } from './runs.ts';
import { Service } from './service.ts';
import { addStatus } from './status.ts';
import { addV1 } from './v1.ts';

export interface ServerSetup {
  readonly models: readonly ModelFolder[];
  readonly options: ServeOptions;
  /** Training runs to show; default: none. */
  readonly runs?: RunsOptions | undefined;
  /** The package's own, for the OpenAPI document. */
  readonly version: string;
  /** Where the log goes; default: nowhere. */
  readonly log?: Writable | undefined;
  /** Folder of the built page; default: the package's own. */
  readonly page?: string | undefined;
}

/** A request that is not there yet within this time is given up. */
const REQUEST_MS = 30_000;

/** A form writes a character in nine bytes at most (%E4%BD%A0), JSON in six (\u4F60); the rest is fields and line breaks. */
const BYTES_A_CHARACTER = 9;
const BYTES_BESIDE = 65_536;

export class HeedServer {
  private constructor(
    /** For tests and for whoever wants to add to it, before it listens. */
    readonly app: FastifyInstance,
    private readonly service: Service,
    private readonly admission: Admission,
  ) {}

  /** Loads the models and builds the server, which does not listen yet. @throws HeedError for what the operator can mend */
  static async build(setup: ServerSetup): Promise<HeedServer> {
    const { options, runs = { runs: [] } } = setup;
    const keys = options.apiKeys === undefined ? undefined : await ApiKeys.load(options.apiKeys);
    const admission = new Admission(options);
    const metrics = new Metrics(() => admission.requests);
    const service = await Service.start(setup.models, options, metrics);
    const app = createApp(setup);
    addSurroundings(app, { admission, metrics });
    await addOpenApi(app, setup.version);
    await addBodies(app, bodyLimitOf(options));
    const gate = await Gate.build(app, { admission, keys, options });
    addLibreTranslate(app, { service, gate, options });
    addV1(app, { service, gate, options });
    addStatus(app, metrics);
    await app.register(async (scope) => {
      gate.lock(scope);
      await addRuns(scope, runs);
    });
    await addPage(app, setup.page);
    await app.ready();
    return new HeedServer(app, service, admission);
  }

  /** Listens, and gives the address. @throws HeedError if that address cannot be had */
  async listen({ host, port }: Pick<ServeOptions, 'host' | 'port'>): Promise<string> {
    try {
      return await this.app.listen({ host, port });
    } catch (cause) {
      const reason = unavailable[errorCode(cause) ?? ''];
      if (reason === undefined) throw cause;
      throw new HeedError(`${host}:${port}`, reason, { cause });
    }
  }

  /** Finishes what was taken in, refuses the rest, and ends. */
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
    // A client that keeps its connection must not keep the server from ending.
    forceCloseConnections: 'idle',
  });
  app.setErrorHandler(answerError);
  // Handlers check what they get, by the schemas that describe it.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  return app;
}

function bodyLimitOf({ maxCharacters }: ServeOptions): number {
  return maxCharacters * BYTES_A_CHARACTER + BYTES_BESIDE;
}

/** What holds for every route. */
function addSurroundings(
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
    // Before Fastify asks for a body that nobody would read.
    return request.is404 ? refuse(request, reply) : undefined;
  });
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    metrics.answered({ endpoint: routeOptions.url ?? 'none', method, status: statusCode, seconds: elapsedTime / 1000 });
  });
  app.options('*', { schema: { hide: true } }, async (_, reply) => reply.code(204).send());
}

/** As LibreTranslate answers: pages of any origin may use the server. There are no cookies to be stolen. */
const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'Authorization, Content-Type',
  'access-control-expose-headers': 'Authorization, Retry-After',
  'access-control-allow-methods': 'GET, POST',
  'access-control-max-age': '1728000',
  'x-content-type-options': 'nosniff',
};
