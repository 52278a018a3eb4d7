// The server answers any request, and never with status 500.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HeedServer } from '../src/serve/index.ts';
import { awkwardLines, SmallModels } from './small-server.ts';

const models = new SmallModels();
let server: HeedServer;

beforeAll(async () => {
  await models.save();
  server = await models.serve({
    maxCharacters: 2000,
    maxTexts: 8,
    maxAlternatives: 3,
    maxBeam: 4,
    maxInspectedPieces: 20,
  });
});

afterAll(async () => {
  await server.stop();
  models.remove();
});

const paths = [
  '/translate',
  '/detect',
  '/v1/translate',
  '/v1/translate/stream',
  '/v1/inspect',
  '/suggest',
  '/translate_file',
  '/v1/runs/none/stop',
];

const kinds = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'text/plain',
  '',
];

async function expectAnswer(path: string, payload: string | Buffer, type = kinds[0]): Promise<number> {
  const headers = type === '' ? {} : { 'content-type': type };
  const answer = await server.app.inject({ method: 'POST', url: path, payload, headers });
  expect(answer.statusCode, `${path} ${payload.toString().slice(0, 300)}: ${answer.body.slice(0, 300)}`).toBeLessThan(
    500,
  );
  if (answer.statusCode >= 400) expect(answer.json()).toEqual({ error: expect.any(String) });
  return answer.statusCode;
}

const line = fc.oneof(
  fc.constantFrom(...awkwardLines.map((text) => text.slice(0, 300))),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const code = fc.constantFrom('en', 'de', 'zh', 'auto', 'xx', '', '>>zh<<', '__proto__');
const number = fc.oneof(fc.integer({ min: -2, max: 6 }), fc.double(), fc.constantFrom(1e9, -1e9, 2 ** 53, 0.5));
const anything = fc
  .anything({ withNullPrototype: false, maxDepth: 3 })
  .filter((value) => JSON.stringify(value) !== undefined);
/** The right type most of the time, else any value. */
const mostly = <T>(right: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: anything });

const fields = fc.record(
  {
    q: mostly(fc.oneof(line, fc.array(line, { maxLength: 4 }))),
    text: mostly(fc.oneof(line, fc.array(line, { maxLength: 4 }))),
    source: mostly(code),
    target: mostly(code),
    model: mostly(fc.constantFrom('named', 'tagged', 'none')),
    format: mostly(fc.constantFrom('text', 'html', 'xml')),
    alternatives: mostly(fc.oneof(number, fc.boolean(), line)),
    api_key: mostly(line),
    translation: mostly(line),
    tensors: mostly(fc.constantFrom('none', 'all', 0, 5, -1)),
    search: mostly(fc.boolean()),
    candidates: mostly(number),
    arrays: mostly(fc.constantFrom('numbers', 'base64')),
    split: mostly(fc.boolean()),
    alignment: mostly(fc.boolean()),
    attention: mostly(fc.boolean()),
    sampling: mostly(
      fc.record({ temperature: number, topK: number, topP: number, seed: number }, { requiredKeys: [] }),
    ),
    prefix: mostly(line),
    ban: mostly(fc.array(line, { maxLength: 3 })),
    glossary: mostly(fc.array(fc.record({ source: line, target: line }), { maxLength: 3 })),
    beam: mostly(number),
    nBest: mostly(number),
    lengthPenalty: mostly(fc.constantFrom('none', 'gnmt:0.6', 'average:1', 'gnmt:x')),
    coveragePenalty: mostly(number),
    minLength: mostly(fc.integer({ min: -1, max: 9 })),
    maxLength: mostly(number),
    noRepeatNgram: mostly(number),
    repetitionPenalty: mostly(number),
    distinct: mostly(fc.boolean()),
  },
  { requiredKeys: [] },
);

const path = fc.constantFrom(...paths);

/** Runs of each property; HEED_FUZZ_RUNS sets more. */
const runs = Number(process.env.HEED_FUZZ_RUNS ?? 150);

describe('the server', () => {
  it('answers records with valid and invalid fields', async () => {
    const statuses = new Set<number>();
    const property = fc.asyncProperty(path, fields, async (to, body) => {
      statuses.add(await expectAnswer(to, JSON.stringify(body)));
    });
    await fc.assert(property, { numRuns: runs });
    expect(statuses).toContain(400);
  }, 600_000);

  it('answers requests with one invalid field', async () => {
    const statuses = new Set<number>();
    const property = fc.asyncProperty(
      line,
      fields,
      fc.constantFrom('beam', 'prefix', 'ban', 'glossary', 'sampling', 'split', 'lengthPenalty', 'tensors'),
      async (text, record, name) => {
        const one = name in record ? { [name]: record[name as keyof typeof record] } : {};
        const request = JSON.stringify({ text, source: 'en', target: 'de', ...one });
        for (const to of ['/v1/translate', '/v1/translate/stream', '/v1/inspect'])
          statuses.add(await expectAnswer(to, request));
      },
    );
    await fc.assert(property, { numRuns: runs });
    expect(statuses).toContain(200);
  }, 600_000);

  it('answers arbitrary bodies of any content type', async () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
    const property = fc.asyncProperty(
      path,
      fc.oneof(bytes, fc.string(), fc.json()),
      fc.constantFrom(...kinds),
      expectAnswerOf,
    );
    await fc.assert(property, { numRuns: 2 * runs });
  }, 600_000);

  it('answers truncated bodies', async () => {
    const whole = JSON.stringify({ q: 'the cat', text: 'the cat', source: 'en', target: 'de' });
    for (const to of paths) for (let end = 0; end < whole.length; end += 7) await expectAnswer(to, whole.slice(0, end));
  }, 600_000);

  it('answers huge and deeply nested bodies', async () => {
    const deep = (depth: number) => `${'{"text":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const bodies = [
      deep(10),
      deep(5000),
      '['.repeat(50_000),
      `{"q":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      JSON.stringify({ q: 'a'.repeat(80_000) }),
      JSON.stringify({ q: Array(20_000).fill('') }),
      'x'.repeat(1e6),
      JSON.stringify({ text: '<b>'.repeat(600), q: '<b>'.repeat(600), source: 'en', target: 'de', format: 'html' }),
      JSON.stringify({ q: '<p>'.repeat(660), source: 'auto', target: 'de', format: 'html' }),
      JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`q${i}`, i]))),
    ];
    for (const to of paths) for (const body of bodies) for (const kind of kinds) await expectAnswer(to, body, kind);
  }, 600_000);

  it('answers arbitrary paths', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'),
      fc.oneof(
        fc.webPath().map((text) => text || '/'),
        fc.constantFrom(...paths, '/', '/docs', '/docs/../etc/passwd', '/%2e%2e/%2e%2e/package.json', '/%', '/\0'),
      ),
      async (method, url) => {
        const { statusCode } = await server.app.inject({ method: method as 'GET', url });
        expect(statusCode).toBeLessThan(500);
      },
    );
    await fc.assert(property, { numRuns: 2 * runs });
  }, 600_000);
});

async function expectAnswerOf(to: string, body: string | Buffer, kind: string): Promise<void> {
  await expectAnswer(to, body, kind);
}
