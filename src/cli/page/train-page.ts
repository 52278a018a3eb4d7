// heed train --ui: the page that shows a run while it learns.

import { once } from 'node:events';
import { basename, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { HeedError } from '../../base/error.ts';
import { note } from '../print/terminal.ts';

export const pageOptions = z.strictObject({
  ui: z.boolean().default(false).describe('Serve a page on this machine that shows the run and can stop it.'),
  uiPort: z.int().min(0).max(65_535).optional().describe('Port of that page; default: a free one.'),
});

export type PageOptions = z.output<typeof pageOptions>;

export interface PageSetup {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
}

/** The first message of the thread: it listens, or it cannot. */
export type PageState = { readonly address: string } | { readonly failure: string };

/** Milliseconds that the server has to send the end of the run to its listeners. */
const endMs = 2000;

/**
 * Does the work while the page is served, if requested.
 * @throws HeedError if the port cannot be had
 */
export async function withPage<T>(folder: string, { ui, uiPort }: PageOptions, work: () => Promise<T>): Promise<T> {
  if (!ui && uiPort !== undefined) throw new HeedError('--ui-port', 'is the port of the page; give --ui too.');
  if (!ui) return work();
  const setup: PageSetup = { name: basename(resolve(folder)), folder, port: uiPort ?? 0 };
  const thread = new Worker(new URL('./train-page-worker.js', import.meta.url), { workerData: setup });
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  try {
    const [state]: PageState[] = await once(thread, 'message');
    if ('failure' in state) throw new HeedError('--ui-port', state.failure);
    note(`the run can be watched at ${state.address}/#/training`);
    // A page that fails is no reason to end the training.
    thread.on('error', (error) => note(`\nthe page has failed (${error.message}); training goes on`));
    return await work();
  } finally {
    thread.postMessage('end');
    const timer = setTimeout(() => thread.terminate(), endMs);
    await ended;
    clearTimeout(timer);
  }
}
