// The function `train`: what a program says to make a model, and how it stops and resumes a run.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyTask } from '../src/data/index.ts';
import { type TrainOptions, Translator, train } from '../src/index.ts';
import { decodeSafetensors, encodeSafetensors } from '../src/model/index.ts';
import type { TrainingEvent } from '../src/train/index.ts';
import { differences } from './training-toy.ts';

const parent = mkdtempSync(join(tmpdir(), 'heed-train-'));
afterAll(() => rmSync(parent, { recursive: true }));
const path = (name: string) => join(parent, name);

const text = copyTask({ count: 200, seed: 1, words: [...'abcdefghij'] }).map(({ source }) => source);
writeFileSync(path('text'), `${text.join('\n')}\n`);
writeFileSync(path('valid'), `${text.slice(0, 10).join('\n')}\n`);

const options: Omit<TrainOptions, 'model'> = {
  source: path('text'),
  target: path('text'),
  validSource: path('valid'),
  validTarget: path('valid'),
  merges: 0,
  dModel: 16,
  heads: 2,
  dInner: 16,
  encoderLayers: 1,
  decoderLayers: 1,
  schedule: 'inverse-sqrt',
  peakRate: 0.01,
  warmupSteps: 10,
  maxTokens: 300,
  steps: 12,
  validateEvery: 4,
  averageLast: 2,
  patience: 50,
  logEvery: 1,
  saveEvery: 1,
  threads: 1,
};
const whole = path('whole');
const events: TrainingEvent[] = [];

/** Trains until an event, as a program that then aborts. */
async function trainUntil(model: string, step: number) {
  const stop = new AbortController();
  const onEvent = (event: TrainingEvent) => {
    if (event.kind === 'step' && event.step === step) stop.abort();
  };
  return train({ ...options, model }, { onEvent, signal: stop.signal });
}

beforeAll(async () => {
  const { outcome, model, validation } = await train({ ...options, model: whole }, { onEvent: (e) => events.push(e) });
  expect(outcome).toBe('finished');
  expect(model).toBe(whole);
  expect(validation).toMatchObject({ kind: 'validation', step: 12 });
  expect(validation?.bleu).toBeGreaterThanOrEqual(0);
});

describe('train', () => {
  it('makes a model that translates, and reports each event', async () => {
    const translator = await Translator.load(whole, { threads: 1 });
    expect(typeof (await translator.translate('a b', { maxLength: 4 }))).toBe('string');
    expect(events.filter(({ kind }) => kind === 'step')).toHaveLength(12);
    expect(events.at(-1)).toMatchObject({ kind: 'stop', reason: 'finished' });
  });

  it('reports its data before the first step', async () => {
    const prepared: unknown[] = [];
    const model = path('prepared');
    await train({ ...options, model }, { onPrepared: (one) => prepared.push(one), signal: AbortSignal.abort() });
    expect(prepared).toMatchObject([{ data: [{ unit: 'pairs', read: 200, used: 200, notes: [] }], leftOut: 0 }]);
  });

  it('stops at a signal, and resumes from the folder alone as if it had never stopped', async () => {
    const model = path('aborted');
    expect(await trainUntil(model, 6)).toMatchObject({ outcome: 'interrupted', validation: { step: 4 } });
    expect(existsSync(join(model, 'training/process.json'))).toBe(false);
    expect(await train({ model, resume: true })).toMatchObject({ outcome: 'finished', validation: { step: 12 } });
    expect(differences(whole, model)).toEqual([]);
    expect(await train({ model, resume: true })).toMatchObject({ outcome: 'already finished' });
  });

  it('resumes a run of heed 0.1: no task and no name in run.json, `stale` in its state', async () => {
    const model = path('older');
    await trainUntil(model, 6);
    const runFile = join(model, 'training/run.json');
    const { task, name, ...run } = JSON.parse(readFileSync(runFile, 'utf8'));
    expect(task).toBe('translate');
    expect(name).toMatch(/^[0-9a-f]{64}$/);
    writeFileSync(runFile, JSON.stringify(run));
    const stateFile = join(model, 'training/last.safetensors');
    const { arrays, metadata } = decodeSafetensors(readFileSync(stateFile), stateFile);
    const { validationsWithoutImprovement: stale, ...state } = JSON.parse(metadata.state);
    const older = { ...metadata, state: JSON.stringify({ ...state, stale }) };
    writeFileSync(stateFile, encodeSafetensors([...arrays.values()], older));
    expect(await train({ model, resume: true })).toMatchObject({ outcome: 'finished' });
    expect(differences(whole, model)).toEqual([]);
  });

  it('names its process while it runs, and stops when the folder asks', async () => {
    const model = path('asked');
    const asked: string[] = [];
    const result = await train(
      { ...options, model, steps: 1_000_000 },
      {
        onEvent: (event) => {
          if (event.kind !== 'step' || event.step !== 3) return;
          asked.push(JSON.parse(readFileSync(join(model, 'training/process.json'), 'utf8')).pid);
          writeFileSync(join(model, 'training/stop'), '');
        },
        onStopRequest: () => asked.push('stop'),
      },
    );
    expect(result.outcome).toBe('interrupted');
    expect(asked).toEqual([process.pid, 'stop']);
    expect(existsSync(join(model, 'training/stop'))).toBe(false);
    expect(readFileSync(join(model, 'training/speed.jsonl'), 'utf8')).toContain('targetTokensPerSecond');
  });

  it('applies its options over presets and configuration files', async () => {
    const config = path('toy.yaml');
    writeFileSync(config, JSON.stringify({ ...options, preset: 'small', steps: 99 }));
    const model = path('configured');
    expect(await train({ model, config, steps: 12 })).toMatchObject({ outcome: 'finished' });
    const { recipe } = JSON.parse(readFileSync(join(model, 'training/run.json'), 'utf8'));
    expect(recipe).toMatchObject({ steps: 12, heads: 2, epochs: 10 });
  });

  it('refuses a folder in use, one without a run, and misspelt options', async () => {
    await expect(train({ ...options, model: whole })).rejects.toThrow(`${whole}: already holds a model; use --resume`);
    await expect(train({ model: path('none'), resume: true })).rejects.toThrow('holds no run to resume');
    const misspelt = (more: object) => train({ ...options, ...more, model: path('none') });
    await expect(misspelt({ peakRat: 1 })).rejects.toThrow('train: unknown option peakRat; did you mean peakRate?');
    await expect(misspelt({ preset: 'smal' })).rejects.toThrow('unknown preset smal; did you mean small?');
    await expect(misspelt({ task: 'translat' })).rejects.toThrow('unknown task translat; did you mean translate?');
    expect(existsSync(path('none'))).toBe(false);
  });

  it('refuses to resume with another task, or with another value of an option', async () => {
    const rule = 'must be the task of the run, translate, got language-model; leave it out.';
    await expect(train({ model: whole, resume: true, task: 'language-model' })).rejects.toThrow(`--task: ${rule}`);
    await expect(train({ model: whole, resume: true, heads: 4 })).rejects.toThrow(
      'train: --heads must stay what the run began with, 2, got 4; leave it out',
    );
  });
});
