// A language model from text to use: training that is stopped and resumed, the model folder, the commands.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAverageCommand } from '../src/cli/commands/average.ts';
import { addGenerateCommand } from '../src/cli/commands/generate.ts';
import { addQuantizeCommand } from '../src/cli/commands/quantize.ts';
import { addScoreCommand } from '../src/cli/commands/score.ts';
import { addTrainCommand } from '../src/cli/commands/train.ts';
import { LanguageModel, type TaskOptions, Translator, train } from '../src/index.ts';
import { loadModel } from '../src/model/node.ts';
import { toyText } from './language-model-toy.ts';
import { runCommand } from './run-command.ts';
import { differences } from './training-toy.ts';

const parent = mkdtempSync(join(tmpdir(), 'heed-language-model-'));
afterAll(() => rmSync(parent, { recursive: true }));
const path = (name: string) => join(parent, name);

const options = {
  ...{ task: 'language-model', text: path('text'), merges: 0, context: 8, validShare: 0.2 },
  ...{ layers: 1, heads: 2, dModel: 16, dInner: 32, dropout: 0.1, labelSmoothing: 0, threads: 1 },
  ...{ maxTokens: 32, schedule: 'inverse-sqrt', peakRate: 0.02, warmupSteps: 5 },
  ...{ epochs: 6, validateEvery: 7, averageLast: 2, logEvery: 3, saveEvery: 4 },
} as const;

function request(model: string): TaskOptions {
  return { ...options, model: path(model) };
}

beforeAll(async () => {
  writeFileSync(path('text'), toyText);
  expect(await train(request('whole'))).toMatchObject({ outcome: 'finished' });
});

describe('training', () => {
  it('learns: the loss falls, and the report of the model is the last validation', async () => {
    const events = readFileSync(path('whole/training/events.jsonl'), 'utf8').trim().split('\n');
    const losses: number[] = events
      .map((line) => JSON.parse(line))
      .filter(({ kind }) => kind === 'validation')
      .map(({ loss }) => loss);
    expect(losses.length).toBeGreaterThan(2);
    expect(Math.min(...losses)).toBeLessThan(losses[0]);
    const model = await LanguageModel.load(path('whole'), { threads: 1 });
    const valid = toyText.slice(Math.floor(toyText.length * 0.8));
    const { perToken } = await model.perplexity(valid);
    expect(perToken).toBeLessThan(losses[0]);
  });

  it('is the same, to the bit, if it is stopped and resumed', async () => {
    for (const stopped of [1, 6, 13]) {
      const stop = new AbortController();
      const model = `stopped-${stopped}`;
      let steps = 0;
      const interrupted = await train(request(model), {
        onProgress: () => {
          if (++steps === stopped) stop.abort();
        },
        signal: stop.signal,
      });
      expect(interrupted.outcome).toBe('interrupted');
      expect(await train({ task: 'language-model', model: path(model), resume: true })).toMatchObject({
        outcome: 'finished',
      });
      expect(differences(path('whole'), path(model))).toEqual([]);
    }
  });

  it('goes on only with the text that it began with', async () => {
    const stop = new AbortController();
    await train(request('changed'), { onProgress: () => stop.abort(), signal: stop.signal });
    writeFileSync(path('other'), `${toyText}more`);
    const resumed = train({ task: 'language-model', model: path('changed'), resume: true, text: path('other') });
    await expect(resumed).rejects.toThrow('is not the text that this run began with');
  });

  it('writes a folder that says what the model is', async () => {
    const { config, training, generation, directions } = await loadModel(path('whole'));
    expect(config).toMatchObject({ kind: 'decoder-only', layers: 1, dModel: 16 });
    expect(training).toMatchObject({ context: 8, documents: 'text', merges: 0 });
    expect([generation, directions]).toEqual([{ beam: 1 }, []]);
    const model = await LanguageModel.load(path('whole'));
    expect(model.context).toBe(8);
    await expect(Translator.load(path('whole'))).rejects.toThrow('heed generate');
  });

  it('is refused without text, and for a context beyond the positions', async () => {
    const { text, ...rest } = request('refused');
    await expect(train({ ...rest, task: 'language-model' })).rejects.toThrow('give --text');
    const positions = { positions: 'learned', maxPositions: 4 };
    await expect(train({ ...request('refused'), ...positions })).rejects.toThrow('context must fit into 4 learned');
    await expect(train({ ...request('refused'), contxt: 3 })).rejects.toThrow('did you mean context?');
  });
});

describe('the commands', () => {
  const model = ['--model', path('whole'), '--threads', 1];

  it('heed train --dry-run estimates a run', async () => {
    const flags = [
      '--task',
      'language-model',
      '--text',
      path('text'),
      '--model',
      path('none'),
      '--preset',
      'characters',
    ];
    const small = ['--d-model', 16, '--heads', 2, '--d-inner', 16, '--layers', 1, '--threads', 1];
    const { stdout } = await runCommand(addTrainCommand, ['train', ...flags, ...small, '--dry-run', '--json']);
    const pieces = 3 + 256 + 1 + new Set(toyText.replaceAll(' ', '')).size;
    expect(JSON.parse(stdout)).toMatchObject({ pieces, updates: 2000, padding: 0, tokensPerUpdate: 768 });
    expect(JSON.parse(stdout).tokens).toBeGreaterThan(0.7 * toyText.length);
  });

  it('heed generate prints the prompt and what continues it', async () => {
    const { stdout } = await runCommand(addGenerateCommand, [
      'generate',
      ...model,
      '--prompt',
      'the ',
      '--max-tokens',
      9,
    ]);
    const loaded = await LanguageModel.load(path('whole'), { threads: 1 });
    expect(stdout).toBe(`the ${await loaded.generate('the ', { maxTokens: 9 })}\n`);
    const streamed = await runCommand(addGenerateCommand, [
      ...['generate', ...model, '--prompt', 'the ', '--max-tokens', 9, '--stream', 'true'],
    ]);
    expect(streamed.stdout).toBe(stdout);
  });

  it('heed generate continues each line of a file, by samples too, as text or as JSON', async () => {
    writeFileSync(path('prompts'), 'the cat\na\n');
    const sample = ['--sample', 'true', '--temperature', 0.8, '--top-k', 5, '--seed', 3, '--n-best', 2];
    const args = ['generate', ...model, '--input', path('prompts'), '--max-tokens', 20, ...sample];
    const text = (await runCommand(addGenerateCommand, args)).stdout;
    expect(text.split(`${'-'.repeat(20)}\n`)).toHaveLength(4);
    const { stdout } = await runCommand(addGenerateCommand, [...args, '--format', 'jsonl']);
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ prompt }) => prompt)).toEqual(['the cat', 'a']);
    expect(records.map(({ texts }) => texts.length)).toEqual([2, 2]);
    expect(text).toContain(`the cat${records[0].texts[0].text}`);
  });

  it('heed score --text reports perplexity', async () => {
    const { stdout } = await runCommand(addScoreCommand, [
      ...['score', ...model, '--text', path('text'), '--format', 'jsonl'],
    ]);
    const loaded = await LanguageModel.load(path('whole'), { threads: 1 });
    expect(JSON.parse(stdout)).toEqual(await loaded.perplexity(toyText));
    const text = (await runCommand(addScoreCommand, ['score', ...model, '--text', path('text')])).stdout;
    expect(text).toMatch(/nats per character +\d\.\d{4}\nperplexity +\d+\.\d{3}\n$/);
  });

  it('heed quantize and heed average take language models', async () => {
    await runCommand(addQuantizeCommand, ['quantize', '--model', path('whole'), '--output', path('int8')]);
    const [exact, rounded] = [await LanguageModel.load(path('whole')), await LanguageModel.load(path('int8'))];
    const difference = (await exact.perplexity(toyText)).perToken - (await rounded.perplexity(toyText)).perToken;
    expect(Math.abs(difference)).toBeLessThan(0.05);
    await runCommand(addAverageCommand, ['average', path('whole'), path('whole'), '--output', path('average')]);
    const average = await LanguageModel.load(path('average'));
    expect(await average.generate('the ')).toBe(await exact.generate('the '));
  });

  it('refuse flags that contradict each other, and models of the other kind', async () => {
    const generate = (...args: (string | number)[]) => runCommand(addGenerateCommand, ['generate', ...model, ...args]);
    await expect(generate('--top-k', 3)).rejects.toThrow('--top-k: needs --sample');
    await expect(generate('--prompt', 'a', '--input', path('text'))).rejects.toThrow('instead of --prompt');
    await expect(generate('--stream', 'true', '--format', 'jsonl')).rejects.toThrow('needs --format text');
    const score = (...args: (string | number)[]) => runCommand(addScoreCommand, ['score', ...model, ...args]);
    const pairs = ['--source', path('text'), '--target', path('text')];
    await expect(score(...pairs)).rejects.toThrow('must be a model with an encoder');
    await expect(score()).rejects.toThrow('needs --source and --target, or --text');
    await expect(score('--text', path('text'), ...pairs)).rejects.toThrow('use one');
    await expect(score('--text', path('text'), '--length-penalty', 'none')).rejects.toThrow('is for translations');
    await expect(score(...pairs, '--context', 3)).rejects.toThrow('needs --text');
    await expect(
      runCommand(addScoreCommand, ['score', '--model', path('a'), path('b'), '--text', path('text')]),
    ).rejects.toThrow('takes one language model');
  });
});
