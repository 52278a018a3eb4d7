// --model where it may be left out: the bundled model.

import { bundledModel } from '../../tasks/index.ts';
import { note } from '../print/terminal.ts';

/** What the help says of a --model that may be left out. */
export const bundledDefault = '(default: the bundled one, English ⇄ Chinese)';

/** The folders that --model names; where it names none the bundled model, which is reported on standard error. */
export async function modelsOrBundled(given: readonly string[] | undefined): Promise<readonly string[]> {
  if (given !== undefined) return given;
  const folder = await bundledModel();
  note('using the bundled model, English ⇄ Chinese; --model names another');
  return [folder];
}
