// The training runs of a server, given as folders on the command line.

import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { HeedError } from '../../base/error.ts';
import { runFiles } from '../../train/index.ts';
import type { NamedRun } from './routes.ts';

/**
 * Each has the name of its folder, with a number if several have the same. A folder given twice is one run.
 * @throws HeedError for a folder without a run
 */
export function parseRuns(given: readonly string[]): NamedRun[] {
  const counts = new Map<string, number>();
  return [...new Set(given.map((folder) => resolve(folder)))].map((folder) => {
    if (!existsSync(runFiles(folder).run)) {
      throw new HeedError(folder, 'holds no training run; give the folder that heed train --model was given.');
    }
    const name = basename(folder);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { folder, name: count === 1 ? name : `${name}-${count}` };
  });
}
