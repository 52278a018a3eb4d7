// The model in the box: models/en-zh of this package, for commands whose --model is left out.

import { fileURLToPath } from 'node:url';
import { HeedError } from '../base/error.ts';
import { fileNames } from '../model/index.ts';
import { listFolder } from '../model/node.ts';
import { note } from './terminal.ts';

/** The same from dist/cli and from src/cli. */
const boxFolder = fileURLToPath(new URL('../../models/en-zh', import.meta.url));

/** What the help says of a --model that may be left out. */
export const boxDefault = '(default: the one in the box, English ⇄ Chinese)';

/** The folders that --model names; where it names none the model in the box, and standard error says so. */
export async function modelsOrBox(given: readonly string[] | undefined): Promise<readonly string[]> {
  if (given !== undefined) return given;
  if (!(await listFolder(boxFolder)).includes(fileNames.config))
    throw new HeedError('--model', 'needs the folder of a model: this copy of heed has none in the box.');
  note('using the model in the box, English ⇄ Chinese; --model names another');
  return [boxFolder];
}
