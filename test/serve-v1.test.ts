// heed's own interface: it returns the results of the translator.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HeedServer, StreamAnswer, TranslateAnswer } from '../src/serve/index.ts';
import { modelsAnswer, streamAnswer, translateAnswer } from '../src/serve/v1/schemas.ts';
import type { Trace } from '../src/translate/index.ts';
import { Translator } from '../src/translate/node.ts';
import { awkwardLines, SmallModels } from './small-server.ts';

const models = new SmallModels();
let server: HeedServer;
let translator: Translator;

beforeAll(async () => {
  await models.save();
  server = await models.serve({ maxBeam: 6, maxAlternatives: 3, maxInspectedPieces: 12 });
  translator = await Translator.load(models.path('named'));
});

afterAll(async () => {
  await server.stop();
  await translator.release();
  models.remove();
});

async function post(url: string, payload: object) {
  const answer = await server.app.inject({ method: 'POST', url, payload });
  return { status: answer.statusCode, body: answer.json() };
}

const named = { source: 'en', target: 'de' };

async function translated(fields: object): Promise<TranslateAnswer> {
  const { status, body } = await post('/v1/translate', { ...named, ...fields });
  expect([status, body.error]).toEqual([200, undefined]);
  expect(translateAnswer.parse(body)).toEqual(body);
  return body;
}

describe('POST /v1/translate', () => {
  it('returns n-best lists, scores, pieces, alignment and attention as the translator does', async () => {
    const options = { beam: 4, nBest: 3, lengthPenalty: 'average:1', minLength: 2, attention: true };
    const answer = await translated({ text: 'the cat sat', alignment: true, ...options });
    const [expected] = await translator.translateAll(['the cat sat'], options);
    const [{ sentences }] = answer.results;
    expect(sentences).toHaveLength(1);
    expect(sentences[0].sourcePieces).toEqual(expected.sourcePieces);
    expect(sentences[0].translations).toHaveLength(3);
    for (const [i, translation] of sentences[0].translations.entries()) {
      const { text, tokens, pieces, reason, alignment, score, logProbabilities } = expected.translations[i];
      expect(translation).toMatchObject({ text, tokens, pieces, reason, alignment });
      expect(translation.score).toBeCloseTo(score, 5);
      expect(translation.logProbabilities).toHaveLength(logProbabilities.length);
      expect(translation.attention).toHaveLength(pieces.length);
    }
  });

  it('returns alignment and attention only on request', async () => {
    const [{ sentences }] = (await translated({ text: 'the cat' })).results;
    expect(Object.keys(sentences[0].translations[0])).not.toContain('alignment');
    expect(Object.keys(sentences[0].translations[0])).not.toContain('attention');
  });

  it('splits texts into sentences without loss, or not at all', async () => {
    const text = ' The cat sat. The dog sat.\n42';
    const [whole] = (await translated({ text })).results;
    expect(whole.lead + whole.sentences.map(({ source, separator }) => source + separator).join('')).toBe(text);
    expect(whole.sentences.map(({ source }) => source)).toEqual(['The cat sat.', 'The dog sat.', '42']);
    expect(whole.sentences[2].translations[0]).toMatchObject({ text: '42', reason: 'blank' });
    const parts = whole.sentences.map(({ translations, targetSeparator }) => translations[0].text + targetSeparator);
    expect(whole.text).toBe(whole.lead + parts.join(''));
    const [one] = (await translated({ text, split: false })).results;
    expect(one.sentences.map(({ source }) => source)).toEqual([text]);
  });

  it('samples the same with the same seed, whatever else is in the batch', async () => {
    const options = { sampling: { seed: 3, temperature: 2 } };
    const alone = await translated({ text: 'the cat', ...options });
    const together = await Promise.all([0, 1, 2].map(() => translated({ text: 'the cat', ...options })));
    for (const answer of together) expect(answer).toEqual(alone);
    expect(await translated({ text: 'the cat', sampling: { seed: 4, temperature: 2 } })).not.toEqual(alone);
  });

  it('applies glossary, prefix and ban', async () => {
    const glossary = [{ source: 'cat', target: 'hats' }];
    const [{ text }] = (await translated({ text: 'the cat', glossary, maxLengthExtra: 20 })).results;
    expect(text).toContain('hats');
    expect((await translated({ text: 'the cat', prefix: 'Köln' })).results[0].text).toMatch(/^Köln/);
    const word = text.split(' ')[0];
    expect((await translated({ text: 'the cat', ban: [word] })).results[0].text.split(' ')).not.toContain(word);
  });

  it('chooses the model by languages or by name', async () => {
    expect(await translated({ text: 'the cat' })).toMatchObject({ model: 'named', source: 'en', target: 'de' });
    const [zh, en] = await Promise.all(
      [
        ['en', 'zh'],
        ['zh', 'en'],
      ].map(([source, target]) => translated({ text: 'the cat', source, target })),
    );
    expect(zh.model).toBe('tagged');
    expect(zh.results[0].sentences[0].sourcePieces[0]).toBe('>>zh<<');
    expect(en.results[0].sentences[0].sourcePieces[0]).toBe('>>en<<');
    expect((await post('/v1/translate', { text: 'the cat', model: 'named' })).body.model).toBe('named');
    const detected = await post('/v1/translate', { text: '我喜欢猫。', source: 'auto', model: 'tagged' });
    expect(detected.body).toMatchObject({ source: 'zh', target: 'en', detectedLanguage: { language: 'zh' } });
  });

  it('answers every awkward line', async () => {
    const { results } = await translated({ text: awkwardLines });
    expect(results).toHaveLength(awkwardLines.length);
    for (const split of [true, false])
      expect((await translated({ text: awkwardLines.slice(0, 25), split })).results).toHaveLength(25);
  }, 300_000);

  it.each([
    [{}, 'missing text parameter'],
    [{ text: 5 }, 'text: must be a text, or a list of at most 128'],
    [{ text: 'a', beem: 3 }, 'unknown field beem; did you mean beam?'],
    [{ text: 'a', sampling: { topk: 3 } }, 'sampling: Unrecognized key: "topk"'],
    [{ text: 'a', beam: 0 }, 'decode: beam must be a whole number of at least 1, got 0.'],
    [{ text: 'a', beam: 7 }, 'beam: '],
    [{ text: 'a', nBest: 5, beam: 6 }, 'nBest: '],
    [{ text: 'a', nBest: 4, beam: 2 }, 'decode: nBest must be at most beam, got nBest 4 and beam 2.'],
    [{ text: 'a', lengthPenalty: 'long' }, 'decode: lengthPenalty must be'],
    [{ text: 'a', glossary: [{ source: ' ', target: 'b' }] }, 'glossary: a term must not be empty'],
    [{ text: 'a', target: 'xx' }, 'xx is not supported'],
    [{ text: 'a', source: 'zh', target: 'de' }, 'German (de) is not available as a target language from Chinese (zh)'],
    [{ text: 'a', model: 'nemed' }, 'unknown model nemed; did you mean named?'],
    [
      { text: 'a', model: 'named', source: 'zh', target: undefined },
      'model named has no such direction; it knows en-de.',
    ],
    [
      { text: 'a', model: 'tagged', source: undefined, target: undefined },
      'needs source and target; it knows en-zh, zh-en.',
    ],
    [{ text: 'a', source: undefined, target: undefined }, 'several models fit; name source and target, or a model'],
    [{ text: 'a '.repeat(400), split: false }, ''],
  ])('refuses case %#: %s', async (fields, error) => {
    const { status, body } = await post('/v1/translate', { ...named, ...fields });
    if (error === '') expect(body.error).toContain("this model's 512 learned positions");
    else expect(body.error).toContain(error);
    expect(status).toBe(400);
  });
});

describe('POST /v1/translate/stream', () => {
  async function stream(fields: object) {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/v1/translate/stream',
      payload: { ...named, ...fields },
    });
    const events = [...answer.body.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(([, name, data]) => ({
      name,
      data: JSON.parse(data),
    }));
    return { status: answer.statusCode, type: answer.headers['content-type'], body: answer.body, events };
  }

  it('sends the text that is new, then the whole translation', async () => {
    const text = ' The cat sat. 42\nThe dog.';
    const { status, type, events } = await stream({ text });
    expect([status, type]).toEqual([200, 'text/event-stream']);
    const last = events.at(-1);
    expect(last!.name).toBe('done');
    const { translation }: { translation: StreamAnswer } = last!.data;
    expect(events.slice(0, -1).map(({ name }) => name)).toEqual(Array(events.length - 1).fill('token'));
    expect(streamAnswer.parse(translation)).toEqual(translation);
    const said = events.slice(0, -1).map(({ data }) => data.text);
    expect(said.join('')).toBe(translation.text);
    expect(said.length).toBeGreaterThan(4);
    const greedy = await translated({ text, beam: 1 });
    expect(translation.text).toBe(greedy.results[0].text);
    expect(translation.sentences.map(({ source }) => source)).toEqual(['The cat sat.', '42', 'The dog.']);
  });

  it('refuses options that a stream cannot have, with status 400', async () => {
    expect(JSON.parse((await stream({ text: 'a', beam: 4 })).body).error).toContain('unknown field beam');
    const refused = await stream({ text: 'a', maxLength: 0 });
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.body).error).toContain('maxLength must be');
  });
});

describe('POST /v1/inspect', () => {
  it('returns the trace of the translator', async () => {
    const asked = { text: 'the cat', translation: 'the dog', tensors: 0, search: true, candidates: 3 };
    const { status, body } = await post('/v1/inspect', { ...named, ...asked });
    expect(status).toBe(200);
    const { text, ...options } = asked;
    const expected: Trace = JSON.parse(
      JSON.stringify(await translator.trace(text, { ...options, maxLength: 12, tensors: 0 })),
    );
    expect(body.source).toEqual(expected.source);
    expect(body.target.tokens).toEqual(expected.target.tokens);
    expect(body.search).toEqual(expected.search);
    expect(body.tensors.map(({ name }: { name: string }) => name)).toEqual(expected.tensors?.map(({ name }) => name));
    expect(body.attention.cross[0].shape).toEqual(expected.attention.cross[0].shape);
  });

  it('refuses texts that are too long to inspect', async () => {
    const { status, body } = await post('/v1/inspect', { ...named, text: 'x'.repeat(30) });
    expect([status, body.error]).toEqual([400, expect.stringContaining('text must have 12 pieces at most')]);
    const other = await post('/v1/inspect', { ...named, text: 'a', translation: 'x'.repeat(30) });
    expect(other.body.error).toContain('translation must have 12 pieces at most');
    expect((await post('/v1/inspect', { ...named, text: 'the', minLength: 1 })).body.target.tokens.length).toBeLessThan(
      14,
    );
  });
});

describe('GET', () => {
  it('/v1/models describes the models', async () => {
    const body = (await server.app.inject({ url: '/v1/models' })).json();
    expect(modelsAnswer.parse(body)).toEqual(body);
    expect(body.models).toMatchObject([
      { name: 'named', directions: [named], arithmetic: 'float32', generation: { beam: 2 } },
      {
        name: 'tagged',
        directions: [
          { source: 'en', target: 'zh' },
          { source: 'zh', target: 'en' },
        ],
      },
    ]);
  });

  it('/openapi.json describes every endpoint by the schemas that validate it', async () => {
    const document = (await server.app.inject({ url: '/openapi.json' })).json();
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths).sort()).toEqual([
      '/detect',
      '/download_file/{name}',
      '/frontend/settings',
      '/health',
      '/languages',
      '/metrics',
      '/suggest',
      '/translate',
      '/translate_file',
      '/v1/inspect',
      '/v1/models',
      '/v1/runs',
      '/v1/runs/{name}/events',
      '/v1/runs/{name}/stop',
      '/v1/translate',
      '/v1/translate/stream',
    ]);
    const { schema } = document.paths['/v1/translate'].post.requestBody.content['application/json'];
    expect(schema.properties.beam).toMatchObject({ type: 'integer', minimum: 1, maximum: 6 });
    expect(schema.properties.sampling.properties.topP.description).toContain('probabilities sum to this');
    expect(Object.keys(document.paths['/translate'].post.requestBody.content)).toHaveLength(3);
  });

  it('/docs loads nothing from other hosts', async () => {
    const page = await server.app.inject({ url: '/docs/' });
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect((await server.app.inject({ url: '/docs/static/swagger-ui-bundle.js' })).statusCode).toBe(200);
  });

  it('/health and /metrics report the state of the server', async () => {
    expect((await server.app.inject({ url: '/health' })).json()).toEqual({ status: 'ok' });
    const { headers, body } = await server.app.inject({ url: '/metrics' });
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toContain('heed_batch_sentences_count{model="named"}');
    expect(body).toMatch(
      /heed_http_request_duration_seconds_count\{endpoint="\/v1\/translate",method="POST",status="200"\}/,
    );
  });
});
