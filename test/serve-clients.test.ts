// Published client packages of LibreTranslate against the server.

import { libreTranslate } from 'libretranslate-ts';
import { Translate } from 'translate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HeedServer } from '../src/serve/index.ts';
import { Translator } from '../src/translate/node.ts';
import { SmallModels } from './small-server.ts';

const models = new SmallModels();
let server: HeedServer;
let address = '';
let expected = '';

beforeAll(async () => {
  await models.save();
  server = await models.serve();
  address = await server.listen({ host: '127.0.0.1', port: 0 });
  expected = await (await Translator.load(models.path('named'))).translate('the cat');
});

afterAll(async () => {
  await server.stop();
  models.remove();
});

describe('the client package libretranslate-ts', () => {
  it('works unchanged', async () => {
    libreTranslate.setApiEndpoint(address);
    libreTranslate.setApiKey('');
    expect((await libreTranslate.listLanguages()).map(({ code }) => code)).toEqual(['en', 'zh', 'de']);
    const detected = await libreTranslate.detect('The weather is very nice today, is it not?');
    expect(detected).toMatchObject({ status: 200, language: 'en', confidence: expect.any(Number) });
    expect(await libreTranslate.translate('the cat', 'en', 'de', 2)).toMatchObject({
      status: 200,
      translatedText: expected,
      alternatives: expect.any(Array),
    });
    expect(await libreTranslate.translate('the cat', 'en', 'fr')).toMatchObject({ error: 'fr is not supported' });
  });
});

describe('the client package translate', () => {
  it('works unchanged', async () => {
    // Its types lack the address, which its documentation has.
    const options = { engine: 'libre' as const, url: `${address}/translate`, from: 'en', to: 'de' };
    const translate = Translate(options);
    expect(await translate('the cat')).toBe(expected);
    await expect(translate('the cat', 'fr')).rejects.toThrow('fr is not supported');
  });
});
