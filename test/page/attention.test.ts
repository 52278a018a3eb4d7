// The attention view with a real server and a tiny model: heads, words, temperature, figures and files.

import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Trace, TraceArray, TraceToken } from '../../src/translate/index.ts';
import type { AttentionData } from '../../web/src/attention/attention-data.ts';
import { atTemperature } from '../../web/src/attention/weights.ts';
import { rowsOf } from '../../web/src/inspect/arrays.ts';
import { describePage, seriousFaults, sidewaysScroll } from './site.ts';

const sentence = 'the cat sat on the mat';
const address = `text=${sentence.replaceAll(' ', '+')}&source=en&target=de`;

/** A trace whose weights are random, for sentences longer than tests would want to translate. */
function longTrace(short: Trace, length: number): Trace {
  const tokens: TraceToken[] = Array.from({ length }, (_, i) => ({ id: i, piece: `▁w${i}` }));
  const { heads } = short.model.config;
  const weights: TraceArray = {
    shape: [heads, length, length],
    values: Array.from({ length: heads * length * length }, (_, i) => ((i * 7919) % 101) / (50 * length)),
  };
  const layers = (all: readonly TraceArray[]) => all.map(() => weights);
  const { encoder, decoder, cross, alignmentLayer } = short.attention;
  const [prediction] = short.target.predictions;
  return {
    ...short,
    source: { ...short.source, tokens },
    target: { ...short.target, tokens, predictions: tokens.map(() => prediction) },
    attention: { encoder: layers(encoder), decoder: layers(decoder), cross: layers(cross), alignmentLayer },
  };
}

describePage('view Attention', {}, (site) => {
  async function traceOf(): Promise<Trace> {
    const body = JSON.stringify({ text: sentence, source: 'en', target: 'de', arrays: 'base64' });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${site.address}/v1/inspect`, { method: 'POST', headers, body })).json() as Promise<Trace>;
  }

  async function weightsOf(
    kind: 'encoder' | 'decoder' | 'cross',
    layer: number,
    head: number,
  ): Promise<Float32Array[]> {
    return rowsOf((await traceOf()).attention[kind][layer], head);
  }

  const parameters = (page: Page) => new URLSearchParams(page.url().split('?')[1]);
  const readout = (page: Page) => page.locator('.readout-value');

  /** Goes to a cell of the heat map by keyboard. */
  async function goTo(page: Page, row: number, column: number): Promise<void> {
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+Home');
    for (let i = 0; i < row; i++) await page.keyboard.press('ArrowDown');
    for (let j = 0; j < column; j++) await page.keyboard.press('ArrowRight');
  }

  async function download(page: Page, format: string): Promise<Buffer> {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: format, exact: true }).click(),
    ]);
    return readFile(await file.path());
  }

  it('shows every head of every layer, and enlarges the chosen one', async () => {
    const page = await site.open(`#/attention?${address}&attention=cross`);
    await page.locator('.thumbnail').first().waitFor();
    expect(await page.locator('.thumbnail').count()).toBe(3 * 3);
    await page.getByRole('button', { name: /^Layer 2, head 3,/ }).click();
    await page.getByRole('heading', { name: 'Cross · Layer 2 · Head 3' }).waitFor();
    const weights = await weightsOf('cross', 1, 2);
    await goTo(page, 1, 2);
    await readout(page)
      .filter({ hasText: weights[1][2].toFixed(4) })
      .waitFor();
    const cell = await page.getByRole('gridcell').getAttribute('aria-label');
    const { source, target } = await traceOf();
    expect(cell).toBe(`${target.tokens[1].piece} looks at ${source.tokens[2].piece}: ${weights[1][2].toFixed(4)}`);
    expect(Object.fromEntries(parameters(page))).toMatchObject({ layer: '2', head: '3' });
  });

  it('is walked by arrow keys from head to head', async () => {
    const page = await site.open(`#/attention?${address}&layer=1&head=1`);
    await page.getByRole('button', { name: /^Layer 1, head 1,/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: 'Encoder · Layer 2 · Head 2' }).waitFor();
    expect(await page.locator('.thumbnail:focus').getAttribute('aria-label')).toMatch(/^Layer 2, head 2,/);
  });

  it('sums rows to 1, and to less where special tokens are hidden', async () => {
    const page = await site.open(`#/attention?${address}`);
    const sums = page.locator('.heat-sums li');
    await sums.first().waitFor();
    const { source } = await traceOf();
    expect(await sums.allTextContents()).toEqual(source.tokens.map(() => '1.00'));
    await page.getByLabel('Special tokens').uncheck();
    const hidden = source.tokens.filter(({ special }) => special).length;
    await expect.poll(() => sums.count()).toBe(source.tokens.length - hidden);
    const weights = await weightsOf('encoder', 1, 0);
    const first = weights[0].slice(0, -1).reduce((sum, weight) => sum + weight, 0);
    expect(await sums.first().textContent()).toBe(first.toFixed(2));
  });

  it('takes the softmax at another temperature', async () => {
    const page = await site.open(`#/attention?${address}&temperature=2`);
    const [row] = await weightsOf('encoder', 1, 0);
    await page.getByRole('grid').waitFor();
    await goTo(page, 0, 1);
    await readout(page)
      .filter({ hasText: atTemperature(row, 2)[1].toFixed(4) })
      .waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => parameters(page).has('temperature')).toBe(false);
    await goTo(page, 0, 1);
    await readout(page)
      .filter({ hasText: row[1].toFixed(4) })
      .waitFor();
    await page.getByLabel('Temperature τ').press('ArrowLeft');
    await expect.poll(() => Number(parameters(page).get('temperature') ?? 1)).toBeLessThan(1);
  });

  it('switches heads, and shows one alone by double click or Shift+Enter', async () => {
    const page = await site.open(`#/attention?${address}&view=columns`);
    const head = (number: number) => page.getByRole('button', { name: new RegExp(`^Head ${number} `) });
    await head(2).click();
    await expect.poll(() => parameters(page).get('heads')).toBe('1,3');
    expect(await head(2).getAttribute('aria-pressed')).toBe('false');
    await head(2).click();
    await expect.poll(() => parameters(page).has('heads')).toBe(false);
    await head(3).dblclick();
    await expect.poll(() => parameters(page).get('heads')).toBe('3');
    await head(1).press('Shift+Enter');
    await expect.poll(() => parameters(page).get('heads')).toBe('1');
    await head(1).press('Shift+Enter');
    await expect.poll(() => parameters(page).has('heads')).toBe(false);
  });

  it('isolates one word, as in the figures of the paper', async () => {
    const page = await site.open(`#/attention?${address}&view=rows`);
    const words = page.getByRole('list', { name: 'looks' }).getByRole('button');
    await words.nth(2).click();
    await expect.poll(() => parameters(page).get('word')).toBe('2');
    const { source } = await traceOf();
    const heads = await Promise.all([0, 1, 2].map((head) => weightsOf('encoder', 1, head)));
    const strongest = Math.max(...heads.map((rows) => Math.max(...rows[2])));
    const said = page.locator('.readout');
    expect(await said.textContent()).toContain(`${source.tokens[2].piece} looks at`);
    expect(await said.locator('.number').first().textContent()).toBe(strongest.toFixed(2));
    await words.nth(2).press('ArrowRight');
    await page.keyboard.press('Escape');
    await expect.poll(() => parameters(page).has('word')).toBe(false);
    await page.getByRole('button', { name: 'Figure 4: one head, all words' }).click();
    await expect.poll(() => parameters(page).get('heads')).toBe('2');
    expect(Object.fromEntries(parameters(page))).toMatchObject({ attention: 'encoder', view: 'rows', layer: '1' });
  });

  it('saves SVG, PNG and JSON of what is shown', async () => {
    const page = await site.open(`#/attention?${address}&attention=cross&layer=3&head=2`);
    await page.getByRole('grid').waitFor();
    const { source, target } = await traceOf();
    const weights = await weightsOf('cross', 2, 1);
    const svg = (await download(page, 'SVG')).toString();
    const [rects, faults] = await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
      return [parsed.querySelectorAll('rect > title').length, parsed.querySelectorAll('parsererror').length];
    }, svg);
    expect([rects, faults]).toEqual([source.tokens.length * target.tokens.length, 0]);
    const png = await download(page, 'PNG');
    expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    expect(png.length).toBeGreaterThan(2000);
    const data = JSON.parse((await download(page, 'JSON')).toString()) as AttentionData;
    expect(data).toMatchObject({ attention: 'cross', layer: 3, temperature: 1, source: sentence });
    expect(data.heads.map(({ head }) => head)).toEqual([2]);
    for (const [i, row] of weights.entries()) {
      for (const [j, weight] of row.entries()) expect(data.heads[0].weights[i][j]).toBeCloseTo(weight, 6);
    }
  });

  it('saves a file that works by itself, offline', async () => {
    const page = await site.open(`#/attention?${address}&view=columns&heads=1,3`);
    await page.getByRole('button', { name: /^Head 1 / }).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'HTML', exact: true }).click(),
    ]);
    const path = site.models.path(saved.suggestedFilename());
    await saved.saveAs(path);
    const alone = await site.open('', { expectedErrors: /asked another host: file:/ });
    await alone.goto('about:blank');
    await alone.context().setOffline(true);
    await alone.goto(pathToFileURL(path).href);
    const lines = alone.locator('svg g.head-3').first();
    expect(await lines.isVisible()).toBe(true);
    await alone.getByLabel('Head 3').uncheck();
    expect(await lines.isVisible()).toBe(false);
    expect(await alone.locator('details svg').first().isVisible()).toBe(true);
    const data: AttentionData = JSON.parse((await alone.locator('#data').textContent()) ?? '');
    expect(data.heads.map(({ head }) => head)).toEqual([1, 3]);
  });

  it('shows a table of the numbers when asked', async () => {
    const page = await site.open(`#/attention?${address}`);
    await page.getByText('Numbers as a table').click();
    const [row] = await weightsOf('encoder', 1, 0);
    const cells = page.locator('.number-table tbody tr').first().getByRole('cell');
    await cells.first().waitFor();
    expect(await cells.allTextContents()).toEqual(Array.from(row, (weight) => weight.toFixed(3)));
  });

  it('comes back from a link as it was', async () => {
    const state = 'attention=decoder&view=columns&layer=2&heads=2,3&word=1&temperature=0.5&special=hidden';
    const page = await site.open(`#/attention?${address}&${state}`);
    await page.getByRole('heading', { name: 'Decoder · Layer 2' }).waitFor();
    expect(await page.getByLabel('Sentence').inputValue()).toBe(sentence);
    expect(await page.getByRole('radio', { name: 'Decoder' }).isChecked()).toBe(true);
    expect(await page.getByLabel('Special tokens').isChecked()).toBe(false);
    expect(await page.locator('output').textContent()).toBe('0.50');
    const pressed = page.locator('.head-toggle[aria-pressed="true"]');
    expect(await pressed.count()).toBe(2);
    expect(await page.locator('.looking button[aria-pressed="true"]').count()).toBe(1);
  });

  it('takes 128 × 128 tokens', async () => {
    const trace = JSON.stringify(longTrace(await traceOf(), 128));
    const page = await site.open('#/attention');
    await page.route('**/v1/inspect', (route) => route.fulfill({ contentType: 'application/json', body: trace }));
    await page.getByLabel('Sentence').fill('long');
    await page.getByRole('button', { name: 'Look inside' }).click();
    await page.getByRole('grid').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+End');
    await page.locator('.readout').filter({ hasText: '▁w127 looks at ▁w127' }).waitFor();
    await page.getByText('Lines', { exact: true }).click();
    await page.locator('.looking button').nth(127).click();
    await page.locator('.readout').filter({ hasText: '▁w127 looks at' }).waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
  });

  it.each(['map', 'columns', 'rows'])('has no serious fault for axe and fits into 360 pixels: %s', async (view) => {
    const options = { width: 360, colorScheme: 'dark', locale: 'zh-CN' } as const;
    const page = await site.open(`#/attention?${address}&view=${view}&word=1`, options);
    await page.locator('.readout').waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('offers examples where there is no sentence yet, in the first of the server’s directions', async () => {
    const page = await site.open('#/attention');
    await page.getByRole('button', { name: /old friends/ }).click();
    await expect.poll(() => parameters(page).get('text')).toMatch(/^Two old friends/);
    await page.getByRole('grid').waitFor();
    expect(await page.getByLabel('Languages').locator('option:checked').textContent()).toBe('English → German · named');
    await page.getByLabel('Languages').selectOption('Chinese → English · tagged');
    await expect.poll(() => Object.fromEntries(parameters(page))).toMatchObject({ model: 'tagged', source: 'zh' });
    await page.locator('.heat-rows .piece.special').nth(1).waitFor();
  });
});
