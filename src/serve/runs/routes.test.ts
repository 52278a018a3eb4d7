import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { thisProcess } from '../../base/process-identity.ts';
import type { StepEvent, TrainingEvent } from '../../train/index.ts';
import { answerError } from '../http/errors.ts';
import { addRuns, type RunsOptions } from './routes.ts';

const parent = mkdtempSync(join(tmpdir(), 'heed-runs-'));
afterAll(() => rmSync(parent, { recursive: true }));

let folder = '';
let apps: FastifyInstance[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(parent, 'run-'));
  mkdirSync(`${folder}/training`);
  apps = [];
});

afterEach(() =>
  Promise.all(
    apps.map((app) => {
      const closed = app.close();
      app.server.closeAllConnections(); // fetch opens a spare one for each that was aborted
      return closed;
    }),
  ),
);

/** A server with the run, and with a folder that has no run yet. */
function serverOf(options: Partial<RunsOptions> = {}): FastifyInstance {
  const app = Fastify();
  app.setErrorHandler(answerError);
  const runs = [
    { name: 'first', folder },
    { name: 'größer/2', folder: `${parent}/none` },
  ];
  app.register(addRuns, { runs, pollMs: 10, mayStop: true, ...options });
  apps.push(app);
  return app;
}

const addressOf = (options?: Partial<RunsOptions>) => serverOf(options).listen({ port: 0 });

const file = (name: string) => `${folder}/training/${name}`;
const write = (name: string, content: unknown) => writeFileSync(file(name), JSON.stringify(content));
const log = (...events: TrainingEvent[]) => logTo('events.jsonl', events);
const logTo = (name: string, records: object[]) =>
  appendFileSync(file(name), records.map((record) => `${JSON.stringify(record)}\n`).join(''));

const stepAt = (step: number): StepEvent => ({
  kind: 'step',
  step,
  epoch: 1,
  loss: 2 / step,
  negativeLogLikelihood: 1 / step,
  learningRate: 1e-3,
  gradientNorm: 0.5,
  targetTokens: 100,
});
const validation: TrainingEvent = {
  kind: 'validation',
  step: 4,
  epoch: 1,
  loss: 1,
  perplexity: 2,
  accuracy: 0.5,
  bleu: 12,
  signature: 's',
  samples: [{ source: 'a', reference: 'b', translation: '\u2028\n' }],
  best: true,
};
const stop: TrainingEvent = { kind: 'stop', step: 4, epoch: 1, reason: 'finished' };
const speedAt = (step: number) => ({
  kind: 'speed',
  step,
  time: '2025-01-01T00:00:00.000Z',
  targetTokensPerSecond: 1000,
});

const get = async (app: FastifyInstance, url: string) => (await app.inject({ url })).json();
const stateOf = async (app: FastifyInstance) => (await get(app, '/v1/runs')).runs[0].state;

describe('GET /v1/runs', () => {
  it('lists each run with its state, its recipe without paths, and its latest events', async () => {
    const recipe = { dModel: 8, source: '/home/me/text', validSource: 'v', cache: 'c', corpora: [{ source: 'x' }] };
    write('run.json', { version: 1, recipe, data: [], tokenizers: {} });
    log(stepAt(2), validation, stepAt(4));
    logTo('speed.jsonl', [speedAt(2), speedAt(4)]);
    const answer = await serverOf().inject({ url: '/v1/runs' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      runs: [
        {
          name: 'first',
          state: 'stopped',
          recipe: { dModel: 8 },
          mayStop: true,
          latest: { step: stepAt(4), validation, speed: speedAt(4) },
        },
        { name: 'größer/2', state: 'preparing', recipe: {}, latest: {}, mayStop: true },
      ],
    });
  });

  it('reports the state of a run', async () => {
    const app = serverOf();
    expect(await stateOf(app)).toBe('preparing');
    write('run.json', { recipe: {} });
    expect(await stateOf(app)).toBe('stopped');
    write('process.json', thisProcess());
    expect(await stateOf(app)).toBe('running');
    write('stop', '');
    expect(await stateOf(app)).toBe('stopping');
    rmSync(file('process.json'));
    expect(await stateOf(app)).toBe('stopped');
    log(stepAt(4), stop);
    expect(await stateOf(app)).toBe('finished');
  });

  it('does not take a killed process, or a damaged record, for a running one', async () => {
    const app = serverOf();
    log(stepAt(1));
    write('process.json', { ...thisProcess(), pid: 2 ** 22 + 1 });
    expect(await stateOf(app)).toBe('stopped');
    writeFileSync(file('process.json'), '{"host":');
    expect(await stateOf(app)).toBe('stopped');
  });
});

describe('GET /v1/runs/:name/events', () => {
  it('returns all events and speeds so far, and new ones the next time', async () => {
    const app = serverOf();
    const url = '/v1/runs/first/events';
    expect(await get(app, url)).toEqual({ state: 'preparing', events: [], speeds: [] });
    log(stepAt(2));
    appendFileSync(file('events.jsonl'), '{"kind":"st');
    expect(await get(app, url)).toEqual({ state: 'stopped', events: [stepAt(2)], speeds: [] });
    appendFileSync(file('events.jsonl'), 'op","step":4,"epoch":1,"reason":"finished"}\nnonsense\n{"kind":"new"}\n');
    logTo('speed.jsonl', [speedAt(2)]);
    expect(await get(app, url)).toEqual({ state: 'finished', events: [stepAt(2), stop], speeds: [speedAt(2)] });
  });

  it('reads old logs, which have no gradient norm', async () => {
    const { gradientNorm: _, ...old } = stepAt(1);
    log(old);
    expect((await get(serverOf(), '/v1/runs/first/events')).events).toEqual([old]);
  });

  it('finds a run by any name, and says so if there is none', async () => {
    const app = serverOf();
    expect((await app.inject({ url: `/v1/runs/${encodeURIComponent('größer/2')}/events` })).statusCode).toBe(200);
    const answer = await app.inject({ url: '/v1/runs/frist/events?follow' });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ error: 'there is no run frist; did you mean first?' });
  });

  it('reports files that cannot be read', async () => {
    mkdirSync(file('events.jsonl'));
    const answer = await serverOf().inject({ url: '/v1/runs/first/events?follow' });
    expect(answer.statusCode).toBe(503);
    expect(answer.json().error).toContain('events.jsonl: cannot be read: it is a folder');
  });
});

describe('the stream of events', () => {
  interface Message {
    readonly event: string;
    readonly data: unknown;
  }

  /** Listens on a real connection; `next` waits for that many further messages. */
  async function listen(address: string, init: RequestInit = {}) {
    const leave = new AbortController();
    const response = await fetch(`${address}/v1/runs/first/events?follow`, { ...init, signal: leave.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    let ended = false;
    const next = async (count: number): Promise<Message[]> => {
      const parts = text.split('\n\n');
      if (parts.length > count || ended) {
        text = parts.slice(count).join('\n\n');
        return parts.slice(0, count).map(messageOf);
      }
      const { value = '', done } = await reader.read();
      text += value;
      ended = done;
      return next(count);
    };
    return { response, next, leave: () => leave.abort(), end: () => reader.closed };
  }

  function messageOf(part: string): Message {
    const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(part) ?? ['', part, '""'];
    return { event, data: JSON.parse(data) };
  }

  const state = (name: string) => ({ event: 'state', data: { state: name } });
  const reset = { event: 'reset', data: {} };
  const training = (data: TrainingEvent) => ({ event: 'training', data });

  it('begins with all events so far, and goes on with new ones', async () => {
    log(stepAt(1), validation);
    const { response, next } = await listen(await addressOf());
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await next(4)).toEqual([state('stopped'), reset, training(stepAt(1)), training(validation)]);
    write('process.json', thisProcess());
    expect(await next(1)).toEqual([state('running')]);
    appendFileSync(file('events.jsonl'), JSON.stringify(stepAt(2)));
    logTo('speed.jsonl', [speedAt(1)]);
    expect(await next(1)).toEqual([{ event: 'speed', data: speedAt(1) }]);
    appendFileSync(file('events.jsonl'), '\n');
    expect(await next(1)).toEqual([training(stepAt(2))]);
  });

  it('begins anew when a resumed run truncates the log', async () => {
    log(stepAt(1), stepAt(2), stop);
    const { next } = await listen(await addressOf());
    expect(await next(5)).toEqual([state('finished'), reset, ...[stepAt(1), stepAt(2), stop].map(training)]);
    truncateSync(file('events.jsonl'), JSON.stringify(stepAt(1)).length + 1);
    expect(await next(3)).toEqual([state('stopped'), reset, training(stepAt(1))]);
    log(stepAt(2), stepAt(3));
    const rest = [...(await next(1)), ...(await next(1))];
    expect(rest).toEqual([training(stepAt(2)), training(stepAt(3))]);
  });

  it('serves several clients, each from its beginning, and by the Accept header', async () => {
    const address = await addressOf();
    write('run.json', { recipe: {} });
    const early = await Promise.all(Array.from({ length: 20 }, () => listen(address)));
    log(stepAt(1));
    for (const { next } of early) expect(await next(3)).toEqual([state('stopped'), reset, training(stepAt(1))]);
    for (const { leave } of early.slice(1)) leave();
    log(stepAt(2));
    const late = await listen(address, { headers: { accept: 'text/event-stream' } });
    expect(await late.next(4)).toEqual([state('stopped'), reset, training(stepAt(1)), training(stepAt(2))]);
    expect(await early[0].next(1)).toEqual([training(stepAt(2))]);
  });

  it('sends comments when nothing happens', async () => {
    const { next } = await listen(await addressOf({ quietMs: 20 }));
    expect(await next(4)).toEqual([state('preparing'), reset, ...Array(2).fill({ event: ': nothing new', data: '' })]);
  });

  it('ends when the server closes, and does not keep it open', async () => {
    const app = serverOf();
    const { next, end } = await listen(await app.listen({ port: 0 }));
    await next(2);
    await app.close();
    await end();
  });

  it('has no HEAD route, which would never end', async () => {
    const app = serverOf();
    expect((await app.inject({ method: 'HEAD', url: '/v1/runs/first/events?follow' })).statusCode).toBe(404);
  });
});

describe('POST /v1/runs/:name/stop', () => {
  const post = (app: FastifyInstance, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: '/v1/runs/first/stop', headers });

  it('asks a running process to stop, even twice', async () => {
    write('process.json', thisProcess());
    const app = serverOf();
    for (let times = 0; times < 2; times++) {
      const answer = await post(app);
      expect([answer.statusCode, answer.json()]).toEqual([200, { state: 'stopping' }]);
      expect(existsSync(file('stop'))).toBe(true);
    }
  });

  it('refuses a run that is not running, and leaves no request behind', async () => {
    log(stepAt(1));
    const answer = await post(serverOf());
    expect([answer.statusCode, answer.json()]).toEqual([409, { error: 'the run is not running: stopped' }]);
    expect(existsSync(file('stop'))).toBe(false);
  });

  it('refuses all requests unless stopping is allowed', async () => {
    write('process.json', thisProcess());
    const app = serverOf({ mayStop: false });
    expect((await get(app, '/v1/runs')).runs[0].mayStop).toBe(false);
    const answer = await post(app);
    expect([answer.statusCode, answer.json()]).toEqual([403, { error: 'this server may not stop runs' }]);
    expect(existsSync(file('stop'))).toBe(false);
  });

  it.each<[number, Record<string, string>]>([
    [200, { origin: 'http://heed.local:81', host: 'heed.local:81' }],
    [403, { origin: 'http://evil.example', host: 'heed.local:81' }],
    [403, { origin: 'null', host: 'heed.local:81' }],
    [200, { origin: 'https://outside.example', host: 'inside:81', 'sec-fetch-site': 'same-origin' }],
    [403, { origin: 'http://127.0.0.1:1', host: '127.0.0.1:1', 'sec-fetch-site': 'cross-site' }],
  ])('answers %i to a page with %j', async (status, headers) => {
    write('process.json', thisProcess());
    expect((await post(serverOf(), headers)).statusCode).toBe(status);
    expect(existsSync(file('stop'))).toBe(status === 200);
  });

  it('reports errors of the file system', async () => {
    write('process.json', thisProcess());
    mkdirSync(file('stop'));
    const answer = await post(serverOf());
    expect(answer.statusCode).toBe(503);
    expect(answer.json().error).toContain('cannot be');
  });
});
