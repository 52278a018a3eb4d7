// The view Translate, as a user meets it: the model behind it is random but always the same, so what the page shows is
// compared with what the translator says.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Translator } from '../../src/translate/node.ts';
import { describePage, type OpenOptions, type Site } from './site.ts';

const sentence = 'the cat sat on the mat';

const source = (page: Page) => page.getByRole('textbox', { name: 'Source' });
const words = (page: Page) => page.getByRole('listbox');
const shown = async (page: Page) => (await words(page).textContent()) ?? '';

/** Waits as long as a busy machine may need. */
const soon = <Value>(look: () => Promise<Value>) => expect.poll(look, { timeout: 20_000 });

/** Opens the view with a text and waits for its translation. */
async function translated(site: Site, hash = '', options: OpenOptions = {}): Promise<Page> {
  const page = await site.open(`#/translate?source=en&target=de&text=${encodeURIComponent(sentence)}${hash}`, options);
  await words(page).waitFor();
  return page;
}

describePage('view Translate', {}, (site) => {
  let translator: Translator;
  const best = async (text: string, beam = 2) => {
    const [{ translations }] = await translator.translateAll([text], { attention: true, beam });
    return translations[0];
  };

  beforeAll(async () => {
    translator = await Translator.load(site.models.path('named'));
  });
  afterAll(() => translator.release());

  it('translates as you type', async () => {
    const page = await site.open('#/translate?source=en&target=de');
    await source(page).pressSequentially(sentence, { delay: 5 });
    await words(page).waitFor();
    await soon(() => shown(page)).toBe((await best(sentence)).text);
    expect(await page.getByText('22 of').isVisible()).toBe(true);
  });

  it('asks once for what is typed without a pause', async () => {
    const page = await translated(site);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/translate')) asked.push(request.postDataJSON().text);
    });
    await source(page).evaluate((field: HTMLTextAreaElement) => {
      for (const text of ['the cat', 'the dog']) {
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
    await soon(() => shown(page)).toBe((await best('the dog')).text);
    expect(asked).toEqual(['the dog']);
  });

  it('breaks off a request when the text goes on', async () => {
    const page = await translated(site);
    await page.route('**/v1/translate', (route) => {
      // The first is never answered.
      if (route.request().postDataJSON().text !== 'the cat') return route.continue();
    });
    const asked = page.waitForRequest('**/v1/translate');
    await source(page).fill('the cat');
    const request = await asked;
    const ended = page.waitForEvent('requestfailed', (failed) => failed === request);
    await source(page).fill('the dog');
    expect((await ended).failure()?.errorText).toContain('ABORTED');
    await soon(() => shown(page)).toBe((await best('the dog')).text);
  });

  it('lights up what a word is aligned with, from either side, and says how sure the model was', async () => {
    const page = await translated(site);
    const { text, alignment } = await best(sentence);
    const { source: from, target: to } = alignment!.words[1];
    await words(page).getByRole('option').nth(to).hover();
    const litSource = page.locator('.writing-backdrop .lit');
    expect(await litSource.allTextContents()).toEqual([sentence.split(' ')[from]]);
    const word = text.split(' ').filter((part) => part !== '')[to];
    await page.getByText(`${word} from ${sentence.split(' ')[from]}`).waitFor();
    expect(await page.locator('.word-detail').textContent()).toMatch(/\d %/);

    const place = await litSource.boundingBox();
    await page.mouse.move(place!.x + 2, place!.y + place!.height / 2);
    const linked = alignment!.words.filter((link) => link.source === from).map((link) => link.target);
    await soon(() => words(page).locator('.lit').count()).toBe(linked.length);
  });

  it('can be used with the keyboard alone', async () => {
    const page = await site.open('#/translate?source=en&target=de');
    await source(page).focus();
    await page.keyboard.type(sentence);
    await words(page).waitFor();
    for (let i = 0; i < 5 && (await words(page).locator(':focus').count()) === 0; i++) await page.keyboard.press('Tab');
    const selected = words(page).locator('[aria-selected=true]');
    const options = await words(page).getByRole('option').allTextContents();
    expect(await selected.textContent()).toBe(options[0]);
    await page.keyboard.press('ArrowRight');
    expect(await selected.textContent()).toBe(options[1]);
    await page.keyboard.press('End');
    expect(await selected.textContent()).toBe(options.at(-1));
    expect(await page.locator('.writing-backdrop .lit').count()).toBeGreaterThan(0);
  });

  it('keeps everything in its address', async () => {
    const page = await translated(site);
    await page.getByLabel('Beam').fill('3');
    await page.getByLabel('Alternatives').fill('1');
    await page.waitForURL(/alternatives=1/);
    const again = await site.open(new URL(page.url()).hash);
    await words(again).waitFor();
    expect(await source(again).inputValue()).toBe(sentence);
    expect(await again.getByLabel('Beam').inputValue()).toBe('3');
    expect(await again.getByRole('radio').count()).toBe(2);
  });

  it('shows an alternative in the place of the best', async () => {
    const page = await translated(site, '&beam=3&alternatives=2');
    const [{ translations }] = await translator.translateAll([sentence], { beam: 3, nBest: 3, distinct: true });
    expect(await shown(page)).toBe(translations[0].text);
    await page.getByRole('radio').nth(1).check();
    expect(await shown(page)).toBe(translations[1].text);
  });

  it('keeps the text when translating fails, says why beside it, and tries again', async () => {
    const page = await translated(site, '', { expectedErrors: /Failed to load resource/ });
    const before = await shown(page);
    await page.route('**/v1/translate', (route) => route.fulfill({ status: 500, json: { error: 'out of order' } }));
    await source(page).fill('the dog ran');
    await page.getByRole('alert').getByText('out of order').waitFor();
    expect(await source(page).inputValue()).toBe('the dog ran');
    expect(await shown(page)).toBe(before);
    await page.unroute('**/v1/translate');
    await page.getByRole('button', { name: 'Try again' }).click();
    await soon(() => shown(page)).toBe((await best('the dog ran')).text);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('says when the server is gone, or busy', async () => {
    const page = await translated(site, '', { expectedErrors: /Failed to load resource/ });
    await page.route('**/v1/translate', (route) => route.abort());
    await source(page).fill('the dog');
    await page.getByText('The server does not answer').waitFor();
    await page.unroute('**/v1/translate');
    await page.route('**/v1/translate', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '7' }, json: { error: 'slow down' } }),
    );
    await source(page).fill('the dog ran');
    await page.getByText('Try again in 7 s').waitFor();
  });

  it('keeps a text that is too long for the server', async () => {
    const page = await translated(site);
    const long = 'the cat '.repeat(6300);
    await source(page).fill(long);
    await page.getByRole('alert').getByText('50,400 characters').waitFor();
    expect(await source(page).inputValue()).toBe(long);
  });

  it('exchanges languages and texts', async () => {
    const page = await site.open(`#/translate?source=en&target=zh&text=hello`);
    await soon(() => page.locator('.reading').textContent()).not.toBe('');
    const translation = (await page.locator('.reading').textContent()) ?? '';
    await page.getByRole('button', { name: 'Swap languages' }).click();
    expect(await source(page).inputValue()).toBe(translation);
    expect(await page.getByLabel('Language of the source').inputValue()).toBe('zh');
    expect(await page.getByLabel('Language of the translation').inputValue()).toBe('en');
  });

  it('says which language it found', async () => {
    const page = await site.open('#/translate?source=auto&target=zh&text=Where+is+the+railway+station%3F');
    await page.getByText('Detected: English').waitFor();
  });

  it('copies the translation', async () => {
    const page = await translated(site);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe((await best(sentence)).text);
  });

  it('writes from right to left where the text does', async () => {
    const page = await site.open(`#/translate?source=en&target=de&text=${encodeURIComponent('שלום 42')}`);
    const direction = () => source(page).evaluate((field) => getComputedStyle(field).direction);
    expect(await direction()).toBe('rtl');
    await source(page).fill(sentence);
    expect(await direction()).toBe('ltr');
  });

  it('chooses models that do not say their languages by name', async () => {
    const page = await site.open();
    await page.route('**/v1/models', async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { models: answer.models.map((model: object) => ({ ...model, directions: [] })) } });
    });
    await page.reload();
    await page.getByLabel('Language of the source').selectOption('named');
    await source(page).fill(sentence);
    await soon(() => shown(page)).toBe((await best(sentence)).text);
    await page.waitForURL(/model=named/);
  });

  it('says how to start a server that has a model', async () => {
    const page = await site.open();
    await page.route('**/v1/models', (route) => route.fulfill({ json: { models: [] } }));
    await page.reload();
    await page.getByText('heed serve --model DIR').waitFor();
  });
});

const keyFolder = mkdtempSync(join(tmpdir(), 'heed-page-keys-'));
const apiKeys = join(keyFolder, 'keys');
writeFileSync(apiKeys, 'sesame');
afterAll(() => rmSync(keyFolder, { recursive: true }));

describePage('view Translate of a server with keys', { apiKeys }, (site) => {
  it('asks for a key, and remembers it', async () => {
    const hash = `#/translate?source=en&target=de&text=${encodeURIComponent(sentence)}`;
    const page = await site.open(hash, { expectedErrors: /Failed to load resource/ });
    await page.getByRole('alert').getByText('API key').waitFor();
    await page.getByLabel('API key').fill('sesame');
    await page.keyboard.press('Enter');
    await words(page).waitFor();
    await page.reload();
    await words(page).waitFor();
  });
});
