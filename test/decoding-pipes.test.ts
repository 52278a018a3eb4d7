// heed translate between pipes, as a separate process: endless input, slow input, readers that close the pipe.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveModel } from '../src/model/node.ts';
import { compile } from '../src/runtime/node/index.ts';
import { Translator } from '../src/translate/index.ts';
import { allOf, type CommandLine, transpileCommandLine } from './command-line.ts';
import { wordyModel } from './wordy-model.ts';

const model = wordyModel();
let folder: string;
let heed: CommandLine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heed-pipes-'));
  await saveModel(folder, model);
  heed = transpileCommandLine();
}, 120_000);

afterAll(() => {
  heed.remove();
  rmSync(folder, { recursive: true });
});

describe('heed translate between pipes', { timeout: 120_000 }, () => {
  it('streams output as input arrives, without waiting for a full window', async () => {
    const [first] = await new Translator(model, { compile }).translate(['the cat'], {});
    const process = heed.start('translate', '--model', folder);
    const answers = process.stdout[Symbol.asyncIterator]();
    process.stdin.write('the cat\n');
    expect((await answers.next()).value.toString()).toBe(`${first}\n`);
    process.stdin.write('\n');
    expect((await answers.next()).value.toString()).toBe('\n');
    process.stdin.end();
    expect((await answers.next()).done).toBe(true);
    expect(await once(process, 'close')).toEqual([0, null]);
  });

  it('handles endless input, and stops silently when its reader closes the pipe', async () => {
    const process = heed.start('translate', '--model', folder, '--beam', '1', '--max-length-extra', '1');
    const errors = allOf(process.stderr);
    let isSending = true;
    process.stdin.on('error', () => {
      isSending = false;
    });
    const lines = 'the cat\n'.repeat(1000);
    const send = () => {
      while (isSending && process.stdin.write(lines));
      if (isSending) process.stdin.once('drain', send);
    };
    send();
    let received = 0;
    for await (const chunk of process.stdout) {
      received += chunk.toString().split('\n').length - 1;
      if (received >= 3000) break; // which closes the pipe, as `head` does
    }
    expect(await once(process, 'close')).toEqual([0, null]);
    expect(await errors).toBe('');
  });

  it('ends with an error although the input is not finished', async () => {
    const process = heed.start('translate', '--model', folder, '--glossary', join(folder, 'none.tsv'));
    process.stdin.write('the cat\n');
    expect(await allOf(process.stderr)).toBe(`error: ${folder}/none.tsv: no such file; check the path.\n`);
    expect(await once(process, 'close')).toEqual([1, null]);
  });

  it.each([
    [['--beam', '0'], 'decode: beam must be a whole number of at least 1, got 0.'],
    [['--stream', '--beam', '2'], 'stream: writes one translation that it never revises, got beam 2; leave it out.'],
  ])('refuses %j before the first line arrives', async (args, message) => {
    const process = heed.start('translate', '--model', folder, ...args);
    expect(await allOf(process.stderr)).toBe(`error: ${message}\n`);
    expect(await once(process, 'close')).toEqual([1, null]);
  });

  it('ends with an error in the middle of the input, too', async () => {
    const learned = mkdtempSync(join(tmpdir(), 'heed-pipes-'));
    await saveModel(learned, wordyModel({ architecture: { positions: 'learned', maxPositions: 9 } }));
    const process = heed.start('translate', '--model', learned);
    process.stdin.write(`the\n${'cat '.repeat(20)}\n`);
    expect(await allOf(process.stderr)).toMatch(/^error: line 2: the source must fit into this model's 9 learned/);
    expect(await once(process, 'close')).toEqual([1, null]);
    rmSync(learned, { recursive: true });
  });

  it('streams each line as it is generated', async () => {
    const process = heed.start('translate', '--model', folder, '--stream', '--min-length', '12');
    process.stdin.end('the cat\n\nthe dog\n');
    const parts: string[] = [];
    for await (const chunk of process.stdout) parts.push(chunk.toString());
    expect(parts.length).toBeGreaterThan(4);
    const whole = await new Translator(model, { compile }).translate(['the cat', '', 'the dog'], {
      beam: 1,
      minLength: 12,
    });
    expect(parts.join('')).toBe(whole.map((line) => `${line}\n`).join(''));
  });
});
