// A server over tiny random models with the page as it is built, and a browser to look at it: Debian's Chromium. Where there
// is none the tests of the page are skipped, and say so. Whatever the page logs as an error fails its test.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import type { HeedServer, ServerSetup } from '../../src/serve/index.ts';
import { SmallModels, type SmallServerOptions } from '../small-server.ts';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** Where `npm run build:web` puts the page. */
export const builtPage = fileURLToPath(new URL('../../dist/web/', import.meta.url));

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface OpenOptions extends Pick<BrowserContextOptions, 'colorScheme' | 'locale'> {
  /** Default 1180. */
  readonly width?: number;
  /** Errors that the test is about, as they are logged; default: none. */
  readonly expectedErrors?: RegExp;
}

export interface SiteSetup extends SmallServerOptions {
  /** Made before the server starts; default: none. */
  readonly runs?: ServerSetup['runs'];
}

/** A describe block with a server and a browser of its own; `test` is told of the site, which is up when its tests run. */
export function describePage(name: string, setup: SiteSetup, tests: (site: Site) => void): void {
  if (executablePath === undefined) console.warn(`${name}: skipped, there is no Chromium on this machine`);
  describe.skipIf(executablePath === undefined)(name, () => {
    const site = new Site(setup);
    beforeAll(() => site.start(), hookMs);
    afterEach(() => site.closePages());
    afterAll(() => site.stop(), hookMs);
    tests(site);
  });
}

/** Loading models and a browser takes a while on a busy machine. */
const hookMs = 60_000;

export class Site {
  readonly models = new SmallModels();
  address = '';
  private server: HeedServer | undefined;
  private browser: Browser | undefined;
  private contexts: BrowserContext[] = [];
  private errors: string[] = [];

  constructor(private readonly setup: SiteSetup) {}

  async start(): Promise<void> {
    if (!existsSync(`${builtPage}index.html`)) throw new Error('The page is not built: npm run build:web');
    await this.models.save();
    this.server = await this.models.serve({ page: builtPage, ...this.setup });
    this.address = await this.server.listen({ host: '127.0.0.1', port: 0 });
    this.browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  }

  /** Opens the page at a place such as `#/translate?text=a`. */
  async open(hash = '', options: OpenOptions = {}): Promise<Page> {
    const { width = 1180, locale = 'en-US', colorScheme, expectedErrors } = options;
    const context = await this.browser!.newContext({ viewport: { width, height: 800 }, locale, colorScheme });
    this.contexts.push(context);
    const page = await context.newPage();
    const note = (text: string) => {
      if (!expectedErrors?.test(text)) this.errors.push(text);
    };
    page.on('pageerror', ({ message }) => note(message));
    page.on('console', (message) => message.type() === 'error' && note(message.text()));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(this.address) && !url.startsWith('blob:')) note(`asked another host: ${url}`);
    });
    await page.goto(`${this.address}/${hash}`);
    return page;
  }

  async closePages(): Promise<void> {
    await Promise.all(this.contexts.map((context) => context.close()));
    const { errors } = this;
    this.contexts = [];
    this.errors = [];
    expect(errors, 'what the page logged').toEqual([]);
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.server?.stop();
    this.models.remove();
  }
}

/** Faults that axe calls serious or critical: the rule and where. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}

/** How far the page reaches beyond the window's right edge; 0: it cannot be scrolled sideways. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.body.offsetWidth);
}
