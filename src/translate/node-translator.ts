// The translator of Node users: one that loads model folders and runs them with the native engine.

import { loadModel } from '../model/node.ts';
import { compile } from '../runtime/node/index.ts';
import type { TranslatorSetup } from './options.ts';
import { Translator } from './translator.ts';

export class NodeTranslator extends Translator {
  /**
   * Loads a model folder, or several as an ensemble, to run with Node's native engine.
   * @throws HeedError for a folder that is not a model, and for models that do not fit together
   */
  static async load(
    folders: string | readonly string[],
    setup: Omit<Partial<TranslatorSetup>, 'compile'> = {},
  ): Promise<NodeTranslator> {
    const names = typeof folders === 'string' ? [folders] : folders;
    const models = await Promise.all(names.map((folder) => loadModel(folder)));
    return new NodeTranslator(models, { compile, ...setup }, names);
  }
}
