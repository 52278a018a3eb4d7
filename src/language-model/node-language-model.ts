// The language model of Node users: one that loads a model folder and runs it with the native engine.

import { loadModel } from '../model/node.ts';
import { compile } from '../runtime/node/index.ts';
import { LanguageModel, type LanguageModelSetup } from './language-model.ts';

export class NodeLanguageModel extends LanguageModel {
  /**
   * Loads a model folder, to run with Node's native engine.
   * @throws HeedError for a folder that is not a model, and for a model with an encoder
   */
  static async load(
    folder: string,
    setup: Omit<Partial<LanguageModelSetup>, 'compile'> = {},
  ): Promise<NodeLanguageModel> {
    return new NodeLanguageModel(await loadModel(folder), { compile, ...setup }, folder);
  }
}
