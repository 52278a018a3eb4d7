// Programs that worker threads have in common. Here the threads are engines of one thread.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type DecodeOptionsInput, search } from '../src/decode/index.ts';
import { GenerationEngine } from '../src/generate/index.ts';
import { quantizeModel } from '../src/model/index.ts';
import type { Compile } from '../src/runtime/index.ts';
import {
  compile,
  compileShared,
  openSharedPrograms,
  removeSharedPrograms,
  type SharedPrograms,
} from '../src/runtime/node/index.ts';
import { input, parameter, scale } from '../src/tensor/index.ts';
import { smallModel } from './small-model.ts';

const opened: SharedPrograms[] = [];
afterEach(() => {
  for (const programs of opened.splice(0)) removeSharedPrograms(programs);
});

function open(): SharedPrograms {
  const programs = openSharedPrograms();
  if (programs === undefined) throw new Error('no room for temporary files');
  opened.push(programs);
  return programs;
}

const model = smallModel({ dModel: 64 });
const sources = [5, 9, 30].map((length) => Int32Array.from({ length }, (_, i) => (i === length - 1 ? 2 : 4 + (i % 9))));
const searches: DecodeOptionsInput[] = [{ beam: 1 }, { beam: 3, lengthPenalty: 'none' }];

/** All that an engine says of the sentences, alone and together. */
async function answers(compileHere: Compile, { parameters, quantized } = model as Parameters<typeof quantizeModel>[0]) {
  const { startId, endId } = model.targetTokenizer;
  const options = { compile: compileHere, startId, endId, threads: 1 };
  const engine = new GenerationEngine({ config: model.config, parameters, quantized }, options);
  const results: unknown[] = [];
  for (const batch of [sources, ...sources.map((source) => [source])]) {
    for (const options of searches) {
      const running = await engine.start(batch);
      const sentences = batch.map(({ length }) => ({ sourceLength: length }));
      const found = await search(running, sentences, { ...options, maxLength: 20, maxLengthExtra: 20 });
      results.push(found.map(({ hypotheses: [{ tokens, score }] }) => [[...tokens], score]));
      running.release();
    }
  }
  await engine.release();
  return results;
}

const filesOf = ({ folder }: SharedPrograms, end: string) => readdirSync(folder).filter((name) => name.endsWith(end));

describe('shared programs', () => {
  it.each([
    ['floats', model],
    ['int8', quantizeModel(model)],
  ])('give the same bits as programs of one thread: %s', async (_, given) => {
    const programs = open();
    const expected = await answers(compile, given);
    expect(await answers(compileShared(programs), given)).toEqual(expected);
    const files = readdirSync(programs.folder);
    expect(filesOf(programs, '.onnx').length).toBeGreaterThan(4);
    expect(filesOf(programs, '.weights').length).toBe(filesOf(programs, '.onnx').length);
    expect(await answers(compileShared(programs), given)).toEqual(expected);
    expect(readdirSync(programs.folder)).toEqual(files);
  });

  it('are written once, even for concurrent requests', async () => {
    const programs = open();
    const shared = compileShared(programs);
    const outputs = { y: scale(input('x', 'float32', [1]), 3) };
    const compiled = await Promise.all(Array.from({ length: 4 }, () => shared(outputs, { threads: 1 })));
    expect(filesOf(programs, '.onnx')).toHaveLength(1);
    for (const program of compiled) {
      const { y } = await program.run(new Map([['x', { shape: [1], data: Float32Array.of(2) }]]));
      expect(y.data).toEqual(Float32Array.of(6));
    }
  });

  it('can be used after their files are removed', async () => {
    const programs = open();
    const shared = compileShared(programs);
    const expected = await answers(compile);
    expect(
      await answers(async (...given) => {
        const program = await shared(...given);
        removeSharedPrograms(programs); // what comes after has no place
        return program;
      }),
    ).toEqual(expected);
    expect(existsSync(programs.folder)).toBe(false);
  });

  it('that the engine refuses block no other thread', async () => {
    const shared = compileShared(open());
    const tooFew = new Map([['w', Float32Array.of(1)]]);
    await expect(
      shared({ y: parameter('w', [2], { kind: 'constant', value: 0 }) }, { weights: tooFew }),
    ).rejects.toThrow();
    await expect(shared({ y: scale(input('x', 'float32', [1]), 3) })).resolves.toBeDefined();
  });
});

describe('the files', () => {
  const module = new URL('../dist/runtime/node/index.js', import.meta.url).href;
  /** A process that shares programs, with more to do before and after, and ends by itself or never. */
  function start(before: string, after: string) {
    const code = `import { openSharedPrograms } from '${module}'; ${before}; console.log(openSharedPrograms().folder); ${after}`;
    return spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  }
  const folderOf = async ({ stdout }: ReturnType<typeof start>) => String((await once(stdout, 'data'))[0]).trim();

  it('are removed at the end of their process', async () => {
    const child = start('', '');
    const exit = once(child, 'exit');
    const folder = await folderOf(child);
    expect(await exit).toEqual([0, null]);
    expect(existsSync(folder)).toBe(false);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('are removed by a signal that ends it: %s', async (signal) => {
    const child = start('', 'setInterval(() => {}, 1000)');
    const exit = once(child, 'exit');
    const folder = await folderOf(child);
    child.kill(signal);
    expect(await exit).toEqual([null, signal]);
    expect(existsSync(folder)).toBe(false);
  });

  it('leave a signal to other listeners', async () => {
    const listen = "process.once('SIGTERM', () => setTimeout(() => process.exit(7), 100))";
    const child = start(listen, 'setInterval(() => {}, 1000)');
    const exit = once(child, 'exit');
    const folder = await folderOf(child);
    child.kill('SIGTERM');
    expect(await exit).toEqual([7, null]);
    expect(existsSync(folder)).toBe(false);
  });
});
