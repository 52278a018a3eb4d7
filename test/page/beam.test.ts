// The beam view with a real server and a tiny model: the tree is that of the search, and its winner is the translation.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { TranslateAnswer } from '../../src/serve/index.ts';
import { describePage, seriousFaults, sidewaysScroll } from './site.ts';

const sentence = 'the cat sat on the mat';
const address = `text=${sentence.replaceAll(' ', '+')}&source=en&target=de`;

describePage('view Beam', {}, (site) => {
  async function translationBy(beam: number, alpha: number): Promise<TranslateAnswer['results'][0]> {
    const question = { text: sentence, source: 'en', target: 'de', beam, lengthPenalty: `gnmt:${alpha}`, split: false };
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(question) };
    const answer = (await (await fetch(`${site.address}/v1/translate`, init)).json()) as TranslateAnswer;
    return answer.results[0];
  }

  const winnerRow = (page: Page) => page.locator('.results tr.winning');
  const parameters = (page: Page) => new URLSearchParams(page.url().split('?')[1]);

  it.each([
    [4, 0.6],
    [1, 0.6],
    [2, 0],
    [8, 2],
  ])('finds the translation with beam %i and α %f', async (beam, alpha) => {
    const page = await site.open(`#/beam?${address}&beam=${beam}&lengthPenalty=${alpha}`);
    await winnerRow(page).waitFor();
    const { text, sentences } = await translationBy(beam, alpha);
    const [{ score }] = sentences[0].translations;
    expect(await winnerRow(page).getByRole('rowheader').textContent()).toBe(text.trim());
    const cells = await winnerRow(page).getByRole('cell').allTextContents();
    expect(cells[3]).toBe(score.toFixed(3).replace('-', '−'));
    expect(await page.locator('.why-won li').first().textContent()).toContain(text.trim());
    const pieces = await page.locator('.node.winning').allTextContents();
    expect(pieces.slice(1, sentences[0].translations[0].pieces.length + 1)).toEqual(
      sentences[0].translations[0].pieces,
    );
  });

  it('keeps at most the beam’s width alive at each step', async () => {
    const page = await site.open(`#/beam?${address}&beam=2&leftBehind=all`);
    await page.locator('.node.winning').first().waitFor();
    const places = await page
      .locator('.node.live')
      .evaluateAll((nodes) => nodes.map((node) => (node as HTMLElement).style.left));
    const counts = places.map((place) => places.filter((other) => other === place).length);
    expect(Math.max(...counts)).toBe(2);
    expect(await page.locator('.node.pruned').count()).toBeGreaterThan(0);
    await page.getByText('none', { exact: true }).click();
    await page.locator('.node.pruned').first().waitFor({ state: 'detached' });
    expect(parameters(page).get('leftBehind')).toBe('none');
  });

  it('searches anew for another beam and penalty, and keeps them in the address', async () => {
    const page = await site.open(`#/beam?${address}`);
    await winnerRow(page).waitFor();
    await page.getByLabel('Beam width').press('ArrowRight');
    await page.getByLabel('Length penalty α').press('ArrowLeft');
    await page.waitForURL(/beam=3.*lengthPenalty=0\.5/);
    const again = await site.open(new URL(page.url()).hash);
    await winnerRow(again).waitFor();
    expect(await again.getByLabel('Beam width').inputValue()).toBe('3');
    expect(await again.getByLabel('Length penalty α').inputValue()).toBe('0.5');
  });

  it('is walked by arrow keys, with the numbers of each token', async () => {
    const page = await site.open(`#/beam?${address}`);
    await page.locator('.node.winning').first().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const focused = page.locator('.node:focus');
    expect(await focused.getAttribute('aria-label')).toContain('the winner’s way');
    const piece = await focused.textContent();
    expect(await page.locator('.node-facts p').textContent()).toContain(`<s>${piece}`);
    await page.keyboard.press('ArrowDown');
    expect(await focused.getAttribute('aria-label')).not.toContain('the winner’s way');
    await page.keyboard.press('ArrowLeft');
    expect(await focused.textContent()).toBe('<s>');
  });

  it('has no serious fault for axe and fits into 360 pixels', async () => {
    const page = await site.open(`#/beam?${address}`, { width: 360, colorScheme: 'dark', locale: 'zh-CN' });
    await page.getByRole('heading', { name: '胜者为何胜出' }).waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('reports a sentence that cannot be searched, and keeps it', async () => {
    const page = await site.open(`#/beam?${address.replace('target=de', 'target=xx')}`, { expectedErrors: /400/ });
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Sentence').inputValue()).toBe(sentence);
  });
});
