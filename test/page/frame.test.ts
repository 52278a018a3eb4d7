// The frame and what holds for all views: reachable by keyboard and screen reader, narrow screens, both themes, both languages,
// nothing from other hosts, a small first page.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { builtPage, describePage, seriousFaults, sidewaysScroll } from './site.ts';

const views = ['translate', 'attention', 'walk-through', 'beam', 'training'] as const;
const sentence = 'text=the+cat+sat+on+the+mat&source=en&target=de';

describePage('frame of the page', {}, (site) => {
  it('begins with the view Translate and names each view in the title', async () => {
    const page = await site.open();
    expect(await page.title()).toBe('Translate · heed');
    for (const name of ['Attention', 'Walk through', 'Beam', 'Training']) {
      await page.getByRole('navigation').getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor({ state: 'attached' });
      expect(await page.title()).toBe(`${name} · heed`);
    }
  });

  it('takes the sentence and its languages along from view to view', async () => {
    const page = await site.open(`#/translate?${sentence}&beam=2`);
    await page.getByRole('link', { name: 'Attention' }).click();
    await page.waitForURL(/#\/attention/);
    const parameters = new URLSearchParams(new URL(page.url()).hash.split('?')[1]);
    expect(Object.fromEntries(parameters)).toMatchObject({
      text: 'the cat sat on the mat',
      source: 'en',
      target: 'de',
    });
    expect(parameters.has('beam')).toBe(false);
  });

  it('speaks the browser’s language, and the chosen one from then on', async () => {
    const page = await site.open('', { locale: 'zh-CN' });
    await page.getByRole('link', { name: '翻译' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-Hans');
    await page.getByLabel('界面语言').selectOption('English');
    await page.getByRole('link', { name: 'Translate' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Translate' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  it('keeps the chosen theme', async () => {
    const page = await site.open('', { colorScheme: 'light' });
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await paper();
    await page.getByLabel('Theme').selectOption('Dark');
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.getByLabel('Theme').waitFor();
    expect(await paper()).toBe(dark);
  });

  it('says so when a view cannot be loaded, and loads it when asked again', async () => {
    const page = await site.open('', { expectedErrors: /Failed to load resource/ });
    await page.route('**/assets/training-view*', (route) => route.abort());
    await page.getByRole('link', { name: 'Training' }).click();
    await page.getByText('This view could not be loaded').waitFor();
    await page.unroute('**/assets/training-view*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Training' }).waitFor({ state: 'attached' });
  });

  it('lets the keyboard skip to the content', async () => {
    const page = await site.open();
    await page.getByLabel('Source', { exact: true }).first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  describe.each(views)('view %s', (view) => {
    it.each(['light', 'dark'] as const)('has no serious fault for axe, %s', async (colorScheme) => {
      const page = await site.open(`#/${view}?${sentence}`, { colorScheme });
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
      expect(await seriousFaults(page)).toEqual([]);
    });

    it.each(['en-US', 'zh-CN'])('fits into 360 pixels, %s', async (locale) => {
      const page = await site.open(`#/${view}?${sentence}`, { width: 360, locale });
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
      expect(await sidewaysScroll(page)).toBe(0);
    });
  });
});

describe('the built page', () => {
  interface Chunk {
    readonly file: string;
    readonly css?: readonly string[];
    readonly imports?: readonly string[];
    readonly dynamicImports?: readonly string[];
    readonly isEntry?: boolean;
  }

  /** A chunk and all that the browser must have before it can run. */
  function filesOf(manifest: Record<string, Chunk>, name: string): string[] {
    const { file, css = [], imports = [] } = manifest[name];
    return [file, ...css, ...imports.flatMap((imported) => filesOf(manifest, imported))];
  }

  it('loads at most 250 kB, gzipped, for its first view', () => {
    const manifest: Record<string, Chunk> = JSON.parse(readFileSync(`${builtPage}.vite/manifest.json`, 'utf8'));
    const entry = Object.keys(manifest).find((name) => manifest[name].isEntry)!;
    const first = [...filesOf(manifest, entry), ...filesOf(manifest, 'src/translate/translate-view.tsx')];
    const sizes = ['index.html', ...new Set(first)].map((file) => gzipSync(readFileSync(builtPage + file)).length);
    expect(first.length).toBeGreaterThan(2);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(250_000);
  });
});
