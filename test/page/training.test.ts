// The view Training over runs whose files the test writes: one at work (as this very process), one finished.

import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { thisProcess } from '../../src/base/process-identity.ts';
import { runFiles, type TrainingEvent } from '../../src/train/index.ts';
import { describePage, seriousFaults, sidewaysScroll } from './site.ts';

const parent = mkdtempSync(join(tmpdir(), 'heed-page-runs-'));
afterAll(() => rmSync(parent, { recursive: true }));

const runs = ['first', 'second'].map((name) => ({ name, folder: join(parent, name) }));
const files = (name: string) => runFiles(join(parent, name));
const append = (path: string, records: readonly object[]) =>
  appendFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));

const step = (number: number): TrainingEvent => ({
  kind: 'step',
  step: number,
  epoch: 1,
  loss: 5 / number,
  negativeLogLikelihood: 4 / number,
  learningRate: 1e-4 * number,
  gradientNorm: 0.5,
  targetTokens: 100,
});
const validation = (number: number, translation: string): TrainingEvent => ({
  kind: 'validation',
  step: number,
  epoch: 1,
  loss: 1,
  perplexity: 3.5,
  accuracy: 0.5,
  bleu: 12.34,
  signature: 's',
  samples: [{ source: 'ein Hund', reference: 'a dog', translation }],
  best: true,
});
const speed = (number: number) => ({
  kind: 'speed',
  step: number,
  time: '2025-01-01T00:00:00.000Z',
  targetTokensPerSecond: 1500,
});

beforeEach(() => {
  for (const { folder } of runs) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, 'training'), { recursive: true });
  }
  writeFileSync(files('first').run, JSON.stringify({ version: 1, recipe: { dModel: 64 }, data: [], tokenizers: {} }));
  writeFileSync(files('first').process, JSON.stringify(thisProcess()));
  append(files('first').events, [step(10), step(20), validation(20, 'a cat'), step(30), validation(30, 'a small dog')]);
  append(files('first').speed, [speed(10), speed(20), speed(30)]);
  append(files('second').events, [
    step(10),
    validation(10, 'dog'),
    { kind: 'stop', step: 10, epoch: 1, reason: 'finished' },
  ]);
});

describePage('view Training', { runs: { runs, mayStop: true, pollMs: 20 } }, (site) => {
  it('draws the run at work, says how it stands, and shows its translations', async () => {
    const page = await site.open('#/training');
    const run = page.getByRole('listitem').filter({ hasText: 'first' });
    await run.getByText('running').waitFor();
    expect(await run.getByRole('checkbox').isChecked()).toBe(true);
    await page.getByRole('img', { name: /^Loss\. first, training: 0\.167 at step 30/ }).waitFor();
    await page.getByRole('img', { name: /^BLEU\. first, held out: 12\.34 at step 30/ }).waitFor();
    for (const name of ['Perplexity', 'Learning rate', 'Tokens/s', 'Gradient norm'])
      await page.getByRole('img', { name: new RegExp(`^${name}\\. first`) }).waitFor();
    expect(await page.locator('.charts canvas').count()).toBe(6);
    await page.getByText('a small dog').waitFor();
    expect(await page.locator('.run').filter({ hasText: 'first' }).getByText('1,500').isVisible()).toBe(true);
  });

  it('follows a run as it goes on', async () => {
    const page = await site.open('#/training');
    await page.getByText('a small dog').waitFor();
    append(files('first').events, [step(40), validation(40, 'a dog at last')]);
    await page.getByText('a dog at last').waitFor();
    await page.getByRole('img', { name: /^Loss\. first, training: 0\.125 at step 40/ }).waitFor();
  });

  it('lays several runs over one another, and keeps them in its address', async () => {
    const page = await site.open('#/training');
    await page.getByRole('checkbox', { name: 'second' }).check();
    await page.getByRole('img', { name: /^Loss\. first.*second, training: 0\.5/ }).waitFor();
    await page.getByText('second, step 10').waitFor();
    const again = await site.open(new URL(page.url()).hash);
    await again.getByRole('img', { name: /^Loss\. first.*second, training: 0\.5/ }).waitFor();
  });

  it('reads values and translations at an earlier step, by keyboard', async () => {
    const page = await site.open('#/training');
    await page.getByText('a small dog').waitFor();
    await page.getByLabel('Values at step').focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowLeft');
    await page.getByText('a cat').waitFor();
    expect(await page.getByText('a small dog').count()).toBe(0);
    const loss = page.locator('.chart').filter({ hasText: 'Loss' });
    expect(await loss.locator('.readings').textContent()).toContain('0.250');
  });

  it('stops a run after asking', async () => {
    const page = await site.open('#/training');
    const dialog = page.getByRole('dialog', { name: 'Stop first?' });
    await page.getByRole('button', { name: 'Stop …' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(existsSync(files('first').stop)).toBe(false);
    await page.getByRole('button', { name: 'Stop …' }).click();
    await dialog.getByRole('button', { name: 'Stop the run' }).click();
    await page.getByText('stopping').waitFor();
    expect(existsSync(files('first').stop)).toBe(true);
  });

  it('has no serious fault for axe and fits into 360 pixels', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await site.open('#/training', { width: 360, colorScheme });
      await page.getByText('a small dog').waitFor();
      expect(await seriousFaults(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBe(0);
    }
  });
});

const apiKeys = join(parent, 'keys');
writeFileSync(apiKeys, 'sesame');

describePage('view Training of a server with keys', { runs: { runs, pollMs: 20 }, apiKeys }, (site) => {
  it('shows a run to those who have one', async () => {
    const page = await site.open('#/training', { expectedErrors: /Failed to load resource/ });
    await page.getByText('Please contact the server operator to get an API key').first().waitFor();
    await page.goto(`${site.address}/#/translate?source=en&target=de&text=the+cat`);
    await page.getByLabel('API key').fill('sesame');
    await page.keyboard.press('Enter');
    await page.goto(`${site.address}/#/training`);
    await page.getByText('a small dog').waitFor();
  });
});
