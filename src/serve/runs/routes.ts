// Training runs over HTTP: their state and events, as a list or as a stream, and a way to stop them.

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isHeedError } from '../../base/error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { RequestError } from '../http/errors.ts';
import { eventsDocs, listDocs, stopDocs } from './docs.ts';
import { RunFolder } from './run-folder.ts';
import { FollowedRun } from './stream.ts';

export interface NamedRun {
  /** Unique on the server. */
  readonly name: string;
  readonly folder: string;
}

export interface RunsOptions {
  readonly runs: readonly NamedRun[];
  /** Whether clients may stop a run; default: they may not. */
  readonly mayStop?: boolean;
  /** Milliseconds between polls of a run's files while a client follows it; default 500. */
  readonly pollMs?: number;
  /** Milliseconds between keep-alive comments in a stream without events; default 15,000. */
  readonly quietMs?: number;
}

interface RunRoute {
  readonly Params: { readonly name: string };
  readonly Querystring: { readonly follow?: string };
}

/** A plugin: GET /v1/runs, GET /v1/runs/:name/events, POST /v1/runs/:name/stop. Streams end when the server closes. */
export async function addRuns(app: FastifyInstance, options: RunsOptions): Promise<void> {
  const { mayStop = false, pollMs = 500, quietMs = 15_000 } = options;
  // The schemas are documentation only; answers are serialized as they are.
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  const follow = { pollMs, quietMs, signal: closing.signal };
  const runs = new Map(
    options.runs.map(({ name, folder }) => [name, new FollowedRun(new RunFolder(name, folder), follow)]),
  );

  const runOf = ({ params: { name } }: FastifyRequest<RunRoute>): FollowedRun => {
    const run = runs.get(name);
    if (run !== undefined) return run;
    throw new RequestError(404, `there is no run ${name}${didYouMean(name, [...runs.keys()])}`);
  };

  app.get('/v1/runs', { schema: listDocs }, async () => {
    const summaries = await readable(Promise.all(Array.from(runs.values(), ({ run }) => run.summary())));
    return { runs: summaries.map((summary) => ({ ...summary, mayStop })) };
  });

  // Without a HEAD route, which would read a stream that never ends.
  const eventsRoute = { schema: eventsDocs, exposeHeadRoute: false };
  app.get<RunRoute>('/v1/runs/:name/events', eventsRoute, async (request, reply) => {
    const followed = runOf(request);
    const { run } = followed;
    const state = await readable(run.look());
    if (!wantsStream(request)) return { state, events: run.events.records, speeds: run.speeds.records };
    // A connection kept alive after the stream would keep the server from closing.
    reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no', connection: 'close' });
    reply.type('text/event-stream');
    return reply.send(Readable.from(followed.follow(), { objectMode: false }));
  });

  app.post<RunRoute>('/v1/runs/:name/stop', { schema: stopDocs }, async (request) => {
    const { run } = runOf(request);
    if (!mayStop) throw new RequestError(403, 'this server may not stop runs');
    if (isFromAnotherPage(request)) throw new RequestError(403, 'only the page of this server may stop a run');
    const state = await readable(run.look());
    if (state !== 'running' && state !== 'stopping') throw new RequestError(409, `the run is not running: ${state}`);
    await readable(run.requestStop());
    return { state: 'stopping' };
  });
}

/** Errors of the file system are not the client's fault: 503 instead of 400. */
async function readable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isHeedError(error) ? new RequestError(503, error.message) : error;
  }
}

function wantsStream({ headers, query }: FastifyRequest<RunRoute>): boolean {
  return query.follow !== undefined || (headers.accept ?? '').includes('text/event-stream');
}

/**
 * By the headers that browsers send: a page of another origin must not be able to stop a run (cross-site request
 * forgery).
 */
function isFromAnotherPage({ headers }: FastifyRequest<RunRoute>): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
}
