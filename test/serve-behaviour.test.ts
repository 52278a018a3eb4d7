// How the server behaves when clients disconnect, workers crash, too many requests come, or it has to stop.

import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HeedServer } from '../src/serve/index.ts';
import { SmallModels, type SmallServerOptions } from './small-server.ts';

const models = new SmallModels();
let server: HeedServer | undefined;
let address = '';

beforeAll(() => models.save());
afterAll(() => models.remove());

async function serve(options: SmallServerOptions = {}): Promise<HeedServer> {
  server = await models.serve(options);
  address = await server.listen({ host: '127.0.0.1', port: 0 });
  return server;
}

afterEach(async () => {
  vi.restoreAllMocks();
  await server?.stop();
  server = undefined;
});

/** Takes very many steps of the model unless it is stopped. */
const endless = { source: 'en', target: 'zh', text: 'the cat', minLength: 50_000, maxLengthExtra: 100_000 };

async function post(path: string, fields: object, init: RequestInit = {}) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(address + path, { method: 'POST', body: JSON.stringify(fields), headers, ...init });
  const answered = (await answer.json()) as Record<string, unknown>;
  return { status: answer.status, headers: answer.headers, body: answered };
}

const short = (init?: RequestInit) => post('/translate', { q: 'the cat', source: 'en', target: 'de' }, init);

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(text.match(new RegExp(`^${name} (.*)$`, 'm'))?.[1]);
}

/** Waits until this many requests are under way or waiting. */
function requestsAre(count: number): Promise<void> {
  return eventually(async () => expect(await metric('heed_requests')).toBe(count));
}

function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 30_000 });
}

/** Calls `listener` with every message to a thread from now on; if it returns false, the thread is terminated instead. */
function watchThreads(listener: (message: unknown) => boolean): void {
  const send = Worker.prototype.postMessage;
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, message: unknown) {
    if (listener(message)) send.call(this, message);
    else void this.terminate();
  });
}

/** The messages of one kind that are sent to threads from now on. */
function messagesTo(isWanted: (message: unknown) => boolean): unknown[] {
  const seen: unknown[] = [];
  watchThreads((message) => {
    if (isWanted(message)) seen.push(message);
    return true;
  });
  return seen;
}

function isAbort(message: unknown): boolean {
  return isMessage(message, { kind: 'abort' });
}

function isCall(message: unknown, name: string): boolean {
  return isMessage(message, { kind: 'call', name });
}

function isMessage(message: unknown, properties: Readonly<Record<string, unknown>>): boolean {
  const known = new Map(Object.entries(message as object));
  return Object.entries(properties).every(([name, value]) => known.get(name) === value);
}

describe('a client that disconnects', () => {
  it('stops the work', async () => {
    await serve();
    const sent = messagesTo((message) => isAbort(message) || isCall(message, 'translate'));
    const stop = new AbortController();
    const request = post('/v1/translate', endless, { signal: stop.signal });
    await requestsAre(1);
    await eventually(() => expect(sent).toHaveLength(1));
    stop.abort();
    await expect(request).rejects.toThrow();
    await requestsAre(0);
    expect(sent).toEqual([expect.objectContaining({ kind: 'call' }), expect.objectContaining({ kind: 'abort' })]);
    expect((await short()).status).toBe(200);
  });

  it('stops its stream, and its queued requests are not begun', async () => {
    await serve();
    const begun = messagesTo((message) => isCall(message, 'stream'));
    const stop = new AbortController();
    const requests = Array.from({ length: 4 }, () => post('/v1/translate/stream', endless, { signal: stop.signal }));
    await requestsAre(4);
    await eventually(() => expect(begun).toHaveLength(1));
    stop.abort();
    await Promise.allSettled(requests);
    await requestsAre(0);
    expect((await short()).status).toBe(200);
    expect(begun).toHaveLength(1);
  });
});

describe('a worker that crashes', () => {
  it('fails only its own requests, and is replaced', async () => {
    await serve({ workers: 2 });
    const other = post('/v1/translate', { ...endless, minLength: 60, maxLengthExtra: 80 });
    await requestsAre(1);
    watchThreads((message) => !(isCall(message, 'translate') && JSON.stringify(message).includes('poison')));
    const dying = post('/v1/translate', { text: 'poison', source: 'en', target: 'de', beam: 1 });
    expect(await dying).toMatchObject({ status: 500, body: { error: expect.stringContaining('translation failed') } });
    expect((await other).status).toBe(200);
    expect((await Promise.all([short(), short(), short()])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await metric('heed_worker_crashes_total')).toBe(1);
  });

  it('does not fail the other requests of its batch', async () => {
    await serve({ workers: 1, batchWaitMs: 200 });
    watchThreads((message) => !(isCall(message, 'translate') && JSON.stringify(message).includes('poison')));
    const q = { source: 'en', target: 'de' };
    const answers = await Promise.all(
      ['the cat', 'poison', 'the dog'].map((text) => post('/translate', { ...q, q: text })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 200]);
  });

  it('is replaced too if it is the documents thread', async () => {
    await serve();
    watchThreads((message) => !(JSON.stringify(message).includes('poison') && !isCall(message, 'translate')));
    expect((await post('/translate', { q: 'poison', source: 'en', target: 'de' })).status).toBe(500);
    expect((await short()).status).toBe(200);
    expect(await metric('heed_worker_crashes_total')).toBe(1);
  });
});

describe('limits', () => {
  it('answer 503 with Retry-After when too many requests are under way', async () => {
    await serve({ maxRequests: 2 });
    const stop = new AbortController();
    const busy = [0, 1].map(() => post('/v1/translate', endless, { signal: stop.signal }));
    await requestsAre(2);
    const refused = await short();
    expect(refused).toMatchObject({ status: 503, body: { error: expect.stringContaining('busy') } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await fetch(`${address}/health`)).status).toBe(200);
    stop.abort();
    await Promise.allSettled(busy);
    await eventually(async () => expect((await short()).status).toBe(200));
  });

  it('answer 504 when a request takes too long, and free its worker', async () => {
    await serve({ timeoutMs: 3000 });
    expect(await post('/v1/translate', endless)).toMatchObject({
      status: 504,
      body: { error: expect.stringContaining('3000 ms') },
    });
    const streamed = await (
      await fetch(`${address}/v1/translate/stream`, {
        method: 'POST',
        body: JSON.stringify(endless),
        headers: { 'content-type': 'application/json' },
      })
    ).text();
    expect(streamed).toContain('event: error\ndata: {"error":"the translation took longer than 3000 ms');
    expect((await short()).status).toBe(200);
  });

  it('answer 429 with Retry-After above the requests per minute', async () => {
    await serve({ requestsPerMinute: 2 });
    expect([(await short()).status, (await short()).status]).toEqual([200, 200]);
    const refused = await short();
    expect(refused).toMatchObject({ status: 429, body: { error: 'Slowdown: 2 per 1 minute' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await fetch(`${address}/languages`)).status).toBe(200);
  });
});

describe('API keys', () => {
  it('are required, by field or header, each with its own limit', async () => {
    const file = models.path('keys');
    writeFileSync(file, '# ours\nalpha\n\nbeta 1\n');
    await serve({ apiKeys: file });
    const q = { q: 'the cat', source: 'en', target: 'de' };
    expect(await short()).toMatchObject({ status: 400, body: { error: expect.stringContaining('API key') } });
    expect(await post('/translate', { ...q, api_key: 'gamma' })).toMatchObject({
      status: 403,
      body: { error: 'Invalid API key' },
    });
    expect((await post('/translate', { ...q, api_key: 'alpha' })).status).toBe(200);
    const headers = { 'content-type': 'application/json', authorization: 'Bearer beta' };
    expect((await post('/v1/translate', { text: 'the cat', source: 'en', target: 'de' }, { headers })).status).toBe(
      200,
    );
    expect((await post('/detect', { q: 'the cat', api_key: 'beta' })).status).toBe(429);
    expect((await post('/detect', { q: 'the cat', api_key: 'alpha' })).status).toBe(200);
    for (const path of ['/languages', '/health', '/v1/models', '/frontend/settings'])
      expect((await fetch(address + path)).status).toBe(200);
    expect(await (await fetch(`${address}/frontend/settings`)).json()).toMatchObject({
      apiKeys: true,
      keyRequired: true,
    });
  });
});

describe('training runs', () => {
  it('are public, or require a key if the server has keys', async () => {
    const runs = { runs: [{ name: 'small', folder: models.path('small') }] };
    const list = (init?: RequestInit) => fetch(`${address}/v1/runs`, init).then(({ status }) => status);
    await serve({ runs });
    expect(await list()).toBe(200);
    await server?.stop();
    const apiKeys = models.path('keys');
    writeFileSync(apiKeys, 'alpha');
    await serve({ runs, apiKeys });
    expect(await list()).toBe(400);
    expect(await list({ headers: { authorization: 'Bearer beta' } })).toBe(403);
    expect(await list({ headers: { authorization: 'Bearer alpha' } })).toBe(200);
    for (const path of ['/v1/runs/small/events', '/v1/runs/small/stop'])
      expect((await fetch(address + path, { method: path.endsWith('stop') ? 'POST' : 'GET' })).status).toBe(400);
  });
});

describe('stopping', () => {
  it('finishes the requests under way, and refuses others', async () => {
    const stopping = await serve();
    const taken = post('/v1/translate', { ...endless, minLength: 60, maxLengthExtra: 80 });
    await requestsAre(1);
    const stopped = stopping.stop();
    const refused = await short();
    expect(refused).toMatchObject({ status: 503, body: { error: 'the server is stopping' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await taken).status).toBe(200);
    await stopped;
    server = undefined;
    await expect(short()).rejects.toThrow();
  });
});

describe('a connection', () => {
  it('that sends invalid data, or ends within a body, does no harm', async () => {
    const { port } = (await serve()).app.server.address() as AddressInfo;
    for (const text of [
      'nonsense\r\n\r\n',
      'POST /translate HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{"q":',
    ]) {
      const socket = connect(port, '127.0.0.1');
      socket.write(text);
      await pause(50);
      socket.destroy();
    }
    expect((await short()).status).toBe(200);
  });
});
