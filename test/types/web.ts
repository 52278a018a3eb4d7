// What `heed/web` promises TypeScript, without the types of Node.

import {
  buildModel,
  type ModelFiles,
  parseModel,
  runtime,
  type SequenceModel,
  type StoredModel,
  Translator,
  tensor,
} from 'heed/web';
import { exactly } from './exactly.ts';

export async function translates(files: ModelFiles, engine: runtime.Engine) {
  const model = parseModel(files, 'https://example.org/model');
  exactly<StoredModel>()(model);
  exactly<SequenceModel>()(buildModel(model.config));
  const compile = runtime.compileWith(engine);
  exactly<runtime.Compile>()(compile);
  const translator = new Translator(model, { compile });
  exactly<string>()(await translator.translate('A dog runs.'));
}

export async function computes(compile: runtime.Compile) {
  const x = tensor.input('x', 'float32', ['batch', 3]);
  const program = await compile({ total: tensor.sum(x, { axes: [1] }) });
  exactly<runtime.Program>()(program);
  const feeds = new Map([['x', { shape: [1, 3], data: new Float32Array(3) }]]);
  exactly<Record<string, runtime.Values>>()(await program.run(feeds));
}

/** Folders and Node's engine belong to `heed` alone. */
export const loadsFolders: 'load' extends keyof typeof Translator ? true : false = false;
