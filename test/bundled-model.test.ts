// The bundled model is found beside the program, wherever the package is; here in one that bundles a tiny model.

import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { saveModel } from '../src/model/node.ts';
import { compile } from '../src/runtime/node/index.ts';
import { Translator } from '../src/translate/index.ts';
import { allOf, transpileCommandLine } from './command-line.ts';
import { smallModel } from './small-model.ts';

const model = smallModel({ languages: ['zh', 'en'] });
const short = ['--max-length-extra', '3'];
const heed = transpileCommandLine();
afterAll(() => heed.remove());

async function translate(input: string, ...flags: string[]) {
  const child = heed.start('translate', ...short, ...flags);
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([allOf(child.stdout), allOf(child.stderr)]);
  return { stdout, stderr };
}

describe('heed translate without --model', () => {
  it('fails if no model is bundled', async () => {
    const { stderr } = await translate('', '--to', 'zh');
    expect(stderr).toBe('error: --model: needs the folder of a model: this copy of heed comes without one.\n');
  });

  it('translates with the bundled model, and reports it once', async () => {
    await saveModel(join(heed.folder, 'models/en-zh'), model);
    const { stdout, stderr } = await translate('the cat\nthe dog\n', '--from', 'en', '--to', 'zh');
    expect(stderr).toBe('using the bundled model, English ⇄ Chinese; --model names another\n');
    const translator = new Translator(model, { compile, threads: 1 });
    const expected = await translator.translate(['the cat', 'the dog'], { maxLengthExtra: 3, to: 'zh' });
    expect(stdout).toBe(`${expected.join('\n')}\n`);
    const { stderr: choice } = await translate('the cat\n');
    expect(choice).toContain('error: translate: to must say which language to translate into: zh or en.');
  });

  it('does not use the bundled model if --model names another', async () => {
    await saveModel(join(heed.folder, 'mine'), smallModel());
    const { stderr } = await translate('the cat\n', '--model', join(heed.folder, 'mine'));
    expect(stderr).toBe('');
  });
});
