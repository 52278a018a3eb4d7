// The model that comes with this package, English ⇄ Chinese: models/en-zh.

import { fileURLToPath } from 'node:url';
import { HeedError } from '../base/error.ts';
import { fileNames } from '../model/index.ts';
import { listFolder } from '../model/node.ts';

/** The same from dist/tasks and from src/tasks. */
const folder = fileURLToPath(new URL('../../models/en-zh', import.meta.url));

/** @throws HeedError if this copy of heed has none */
export async function bundledModel(): Promise<string> {
  if ((await listFolder(folder)).includes(fileNames.config)) return folder;
  throw new HeedError('--model', 'needs the folder of a model: this copy of heed comes without one.');
}
