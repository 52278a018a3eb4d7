// LibreTranslate's interface: its field names, status codes and messages.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HeedServer } from '../src/serve/index.ts';
import {
  detectAnswer,
  languagesAnswer,
  settingsAnswer,
  translateFieldsAnswer,
} from '../src/serve/libretranslate/schemas.ts';
import { Translator } from '../src/translate/node.ts';
import { awkwardLines, SmallModels } from './small-server.ts';

const models = new SmallModels();
let server: HeedServer;

beforeAll(async () => {
  await models.save();
  server = await models.serve({ maxCharacters: 3000, maxTexts: 40, maxAlternatives: 3 });
});

afterAll(async () => {
  await server.stop();
  models.remove();
});

async function post(url: string, body: object | string, type = 'application/json') {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await server.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

const translate = (fields: object) => post('/translate', { source: 'en', target: 'de', ...fields });

describe('POST /translate', () => {
  it('translates a text as the model does', async () => {
    const { status, body } = await translate({ q: 'the cat sat' });
    expect(status).toBe(200);
    const translator = await Translator.load(models.path('named'));
    expect(body).toEqual({ translatedText: await translator.translate('the cat sat') });
  });

  it('answers a list with a list, text by text', async () => {
    const { body } = await translate({ q: ['the cat', '', 'the dog'] });
    const alone = await Promise.all(['the cat', 'the dog'].map((q) => translate({ q })));
    expect(body.translatedText).toEqual([alone[0].body.translatedText, '', alone[1].body.translatedText]);
  });

  it('keeps lines and the space between sentences', async () => {
    const { body } = await translate({ q: ' the cat sat.\n\n  the dog sat.' });
    const [first, second] = (await translate({ q: ['the cat sat.', 'the dog sat.'] })).body.translatedText;
    expect(body.translatedText).toBe(` ${first}\n\n  ${second}`);
  });

  it('accepts both kinds of forms as well as JSON', async () => {
    const expected = (await translate({ q: 'the cat' })).body;
    const form = new URLSearchParams({ q: 'the cat', source: 'en', target: 'de' });
    expect((await post('/translate', String(form), 'application/x-www-form-urlencoded')).body).toEqual(expected);
    const parts = ['q', 'source', 'target'].map(
      (name) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${form.get(name)}\r\n`,
    );
    expect((await post('/translate', `${parts.join('')}--b--\r\n`, 'multipart/form-data; boundary=b')).body).toEqual(
      expected,
    );
    expect((await server.app.inject({ method: 'POST', url: `/translate?${form}` })).json()).toEqual(expected);
  });

  it('returns alternatives that differ from the translation and from each other', async () => {
    const { body } = await translate({ q: ['the cat sat', 'the dog'], alternatives: 3 });
    expect(translateFieldsAnswer.parse(body)).toEqual(body);
    for (const [i, text] of body.translatedText.entries()) {
      const all = [text, ...body.alternatives[i]];
      expect(new Set(all).size).toBe(all.length);
      expect(all.length).toBeGreaterThan(1);
    }
    expect((await translate({ q: 'the cat sat', alternatives: '2' })).body.alternatives.length).toBeLessThan(3);
  });

  it('detects the source, once for a whole list', async () => {
    const sentence = 'The cats are sitting on the mat, and they would like to have some milk.';
    const one = await translate({ q: sentence, source: 'auto' });
    expect(one.body.detectedLanguage).toEqual({ language: 'en', confidence: expect.any(Number) });
    expect(Number.isInteger(one.body.detectedLanguage.confidence)).toBe(true);
    const several = await translate({ q: [sentence, 'ok'], source: 'auto' });
    expect(several.body.detectedLanguage).toEqual([
      expect.objectContaining({ language: 'en' }),
      expect.objectContaining({ language: 'en' }),
    ]);
    const other = await translate({ q: '我喜欢猫。', source: 'auto', target: 'en' });
    expect(other.body.detectedLanguage.language).toBe('zh');
  });

  it('keeps the tags of HTML', async () => {
    const { status, body } = await translate({
      q: '<p class="a">the <b>cat</b> sat</p><code>x</code>',
      format: 'html',
    });
    expect(status).toBe(200);
    expect(body.translatedText).toMatch(/^<p class="a">.*<\/p><code>x<\/code>$/s);
  });

  it('leaves a text without words as it is', async () => {
    const { body } = await translate({ q: ['-', '42', ' ', 'https://example.org/a?b=c'] });
    expect(body.translatedText).toEqual(['-', '42', ' ', 'https://example.org/a?b=c']);
  });

  it('answers every awkward line, as text and as HTML', async () => {
    for (const format of ['text', 'html'])
      for (const q of awkwardLines) {
        const { status, body } = await translate({ q: [q], format });
        expect([status, typeof body.translatedText?.[0]]).toEqual([200, 'string']);
      }
  }, 300_000);

  it.each([
    [{}, 400, 'Invalid request: missing q parameter'],
    [{ q: '' }, 400, 'Invalid request: missing q parameter'],
    [{ q: [] }, 400, 'Invalid request: missing q parameter'],
    [{ q: 5 }, 400, 'Invalid request: q: must be a text or a list of texts'],
    [{ q: 'a', source: '' }, 400, 'Invalid request: missing source parameter'],
    [{ q: 'a', target: null }, 400, 'Invalid request: missing target parameter'],
    [{ q: 'a', source: 'xx' }, 400, 'xx is not supported'],
    [{ q: 'a', target: 'xx' }, 400, 'xx is not supported'],
    [{ q: 'a', target: 'en' }, 400, 'English (en) is not available as a target language from English (en)'],
    [{ q: 'a', format: 'xml' }, 400, 'xml format is not supported'],
    [{ q: 'a', alternatives: 'many' }, 400, 'Invalid request: alternatives: must be a number'],
    [{ q: 'a', alternatives: 4 }, 400, 'Invalid request: alternatives parameter must be <= 3'],
    [{ q: 'a'.repeat(3001) }, 400, 'Invalid request: request (3001) exceeds text limit (3000)'],
    [{ q: Array(41).fill('a') }, 400, 'Invalid request: request (41) exceeds text limit (40)'],
  ])('refuses %# %j', async (fields, status, error) => {
    expect(await translate(fields)).toMatchObject({ status, body: { error } });
  });

  it('counts characters, not UTF-16 code units', async () => {
    expect((await translate({ q: '🐈'.repeat(3000) })).status).toBe(200);
    expect((await translate({ q: '🐈'.repeat(3001) })).status).toBe(400);
  });

  it('refuses bodies that are malformed, too large, or of another content type', async () => {
    expect(await post('/translate', '{"q":')).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    expect(await post('/translate', '[1]')).toMatchObject({
      status: 400,
      body: { error: 'Invalid request: Invalid JSON format' },
    });
    const large = JSON.stringify({ q: 'a'.repeat(200_000) });
    expect(await post('/translate', large)).toMatchObject({ status: 413, body: { error: expect.any(String) } });
    expect(await post('/translate', 'q=a', 'text/csv')).toMatchObject({
      status: 415,
      body: { error: expect.any(String) },
    });
  });
});

describe('the rest of the interface', () => {
  const get = async (url: string) => {
    const answer = await server.app.inject({ url });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  };

  it('lists languages with their targets', async () => {
    const { body } = await get('/languages');
    expect(languagesAnswer.parse(body)).toEqual([
      { code: 'en', name: 'English', targets: ['de', 'zh'] },
      { code: 'zh', name: 'Chinese', targets: ['en'] },
      { code: 'de', name: 'German', targets: [] },
    ]);
  });

  it('detects languages, with whole numbers as confidences', async () => {
    const { status, body } = await post('/detect', { q: 'The weather is very nice today, is it not?' });
    expect(status).toBe(200);
    expect(detectAnswer.parse(body)[0].language).toBe('en');
    expect(await post('/detect', {})).toMatchObject({
      status: 400,
      body: { error: 'Invalid request: missing q parameter' },
    });
  });

  it('returns settings for user interfaces', async () => {
    const { body } = await get('/frontend/settings');
    expect(settingsAnswer.parse(body)).toMatchObject({ charLimit: 3000, apiKeys: false, filesTranslation: false });
  });

  it('answers disabled features as a LibreTranslate server does', async () => {
    expect(await post('/suggest', { q: 'a', s: 'b' })).toMatchObject({
      status: 403,
      body: { error: 'Suggestions are disabled on this server.' },
    });
    expect((await post('/translate_file', {})).status).toBe(403);
    expect((await get('/download_file/a.txt')).status).toBe(400);
    const wrong = await get('/translate');
    expect([wrong.status, wrong.headers.allow, wrong.body]).toEqual([
      405,
      'POST',
      { error: '/translate takes POST only.' },
    ]);
    expect((await get('/v1/runs/a/stop')).status).toBe(405);
    expect(wrong.headers['access-control-allow-origin']).toBe('*');
    expect(await get('/nothing')).toMatchObject({ status: 404, body: { error: expect.stringContaining('/nothing') } });
  });

  it('accepts requests from pages of any origin', async () => {
    const { headers } = await get('/languages');
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, POST' });
    const preflight = await server.app.inject({ method: 'OPTIONS', url: '/translate' });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toBe('Authorization, Content-Type');
  });
});
