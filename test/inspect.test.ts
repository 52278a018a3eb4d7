// heed inspect: what it prints, and how it refuses.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addInspectCommand } from '../src/cli/commands/inspect.ts';
import { saveModel } from '../src/model/node.ts';
import { Translator } from '../src/translate/node.ts';
import { runCommand } from './run-command.ts';
import { smallModel } from './small-model.ts';
import { wordyModel } from './wordy-model.ts';

const folder = mkdtempSync(join(tmpdir(), 'heed-inspect-'));
const [wordy, tagged] = [join(folder, 'wordy'), join(folder, 'tagged')];
const inspect = async (...args: string[]) =>
  (await runCommand(addInspectCommand, ['inspect', '--model', wordy, ...args])).stdout;

beforeAll(async () => {
  await saveModel(wordy, wordyModel());
  await saveModel(tagged, smallModel({ languages: ['zh', 'en'] }));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('heed inspect', () => {
  it('draws cross-attention to the source, a row for each token of the given translation', async () => {
    const lines = (await inspect('the cat sat', 'the dog')).split('\n');
    expect(lines[0]).toBe('the cat sat');
    expect(lines[1]).toMatch(/^→ the dog \(as given, log-probability -\d+\.\d{3}\)$/);
    expect(lines[2]).toMatch(/^Cross-attention of the decoder, layer 1 of 0–2, mean of 3 heads\./);
    expect(lines[3].trim().split(/ +/)).toEqual(['▁the', '▁cat', '▁sat', '</s>']);
    expect(lines.slice(4, 7).map((line) => line.match(/\S+ → \S+/)?.[0])).toEqual([
      '<s> → ▁the',
      '▁the → ▁dog',
      '▁dog → </s>',
    ]);
    expect(lines.at(-2)).toMatch(/^ {2}0: \d\.\d\d {2}1: \d\.\d\d {2}2: \d\.\d\d$/);
  });

  it('draws any layer and head of any kind', async () => {
    expect(await inspect('the cat', 'the', '--kind', 'encoder', '--layer', '0', '--head', '2')).toContain(
      'Self-attention of the encoder, layer 0 of 0–1, head 2 of 0–2.',
    );
  });

  it('finds the model’s own translation', async () => {
    const translator = await Translator.load(wordy);
    const own = await translator.translate('the cat', { beam: 2 });
    expect(await inspect('the cat', '--beam', '2')).toContain(`→ ${own} (the model’s own, log-probability `);
  });

  it('prints the trace as one line of JSON', async () => {
    const flags = ['--tensors', '1', '--search', '--candidates', '2', '--arrays', 'base64'];
    const stdout = await inspect('the cat', '--json', ...flags);
    expect(stdout.split('\n')).toHaveLength(2);
    const translator = await Translator.load(wordy);
    const options = { tensors: 1, search: true, candidates: 2, arrays: 'base64' } as const;
    expect(JSON.parse(stdout)).toEqual(await translator.trace('the cat', options));
    expect(JSON.parse(stdout).model.name).toBe('wordy');
  });

  it('selects the target language of a model with several', async () => {
    const args = ['inspect', '--model', tagged, 'the cat', '--max-length', '2', '--json', '--to', 'en'];
    const { stdout } = await runCommand(addInspectCommand, args);
    expect(JSON.parse(stdout).source.tokens[0].piece).toBe('>>en<<');
  });

  it.each([
    [['--head', '3'], '--head: must be a whole number from 0 to 2, got 3.'],
    [['--kind', 'encoder', '--layer', '2'], '--layer: must be a whole number from 0 to 1, got 2.'],
    [['--search'], '--search: needs --json; add it or leave out --search.'],
    [['--tensors', 'all'], '--tensors: needs --json; add it or leave out --tensors.'],
    [['--json', '--layer', '0'], '--layer: is for the picture; JSON holds every layer and head, so leave it out.'],
    [['--json', '--tensors', 'some'], '--tensors: must be none, all or the number of a layer, got "some".'],
    [['--json', '--tensors', '9'], 'trace: tensors must be none, all or a layer from 0 to 2, got 9.'],
    [['--to', 'fr'], 'translate: this model does not name its languages; leave out to fr.'],
    [['--beam', '0'], 'decode: beam must be a whole number of at least 1, got 0.'],
  ])('refuses %j', async (flags, message) => {
    await expect(inspect('the cat', ...flags)).rejects.toThrow(message);
  });
});
