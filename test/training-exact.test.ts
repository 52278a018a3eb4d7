// A run stopped anywhere and resumed is, to the bit, the run that was never stopped.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { augmentation } from '../src/data/index.ts';
import { loadModel } from '../src/model/node.ts';
import type { Compile } from '../src/runtime/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { TrainingStep, type TrainingStore } from '../src/train/index.ts';
import { contents, differences, tokenizer, toyStore, toyTrainer } from './training-toy.ts';

const parent = mkdtempSync(join(tmpdir(), 'heed-exact-'));
afterAll(() => rmSync(parent, { recursive: true }));
const path = (name: string) => join(parent, name);
const whole = path('whole');

beforeAll(async () => {
  expect(await (await toyTrainer(whole)).run()).toBe('finished');
});

/** Asks a run to stop right after the n-th forward and backward pass of its training. */
function stoppingAt(n: number): { compile: Compile; signal: AbortSignal } {
  const stop = new AbortController();
  let passes = 0;
  return {
    signal: stop.signal,
    compile: async (outputs, options) => {
      const program = await compile(outputs, options);
      if (!('gradient.0' in outputs)) return program;
      const run = program.run.bind(program);
      program.run = async (...given) => {
        const results = await run(...given);
        if (++passes === n) stop.abort();
        return results;
      };
      return program;
    },
  };
}

/** A store whose n-th change of the disk is its last one: the process is gone. Reading does not count. */
function dyingAfter(store: TrainingStore, n: number): TrainingStore {
  let changes = 0;
  const change = async <T>(made: Promise<T>): Promise<T> => {
    const result = await made;
    if (++changes === n) throw new Error('killed');
    return result;
  };
  return {
    load: (...given) => store.load(...given),
    average: (...given) => store.average(...given),
    rewind: (...given) => change(store.rewind(...given)),
    save: (...given) => change(store.save(...given)),
    publish: (...given) => change(store.publish(...given)),
    setBestAside: () => change(store.setBestAside()),
    keep: (...given) => change(store.keep(...given)),
    forget: (...given) => change(store.forget(...given)),
    log: (...given) => change(store.log(...given)),
  };
}

describe('a resumed run', () => {
  it('is the same after a stop between any two batches', async () => {
    let stops = 0;
    for (let n = 1; ; n++) {
      const folder = path(`stopped-${n}`);
      if ((await (await toyTrainer(folder, {}, stoppingAt(n))).run()) === 'finished') break;
      stops++;
      expect(await (await toyTrainer(folder)).run()).toBe('finished');
      expect(differences(whole, folder), `stopped after pass ${n}`).toEqual([]);
    }
    expect(stops).toBeGreaterThan(10);
  });

  it('is the same after a death between any two changes of the disk', async () => {
    let deaths = 0;
    for (let n = 1; ; n++) {
      const folder = path(`died-${n}`);
      const dying = await toyTrainer(folder, {}, { store: dyingAfter(toyStore(folder), n) });
      const outcome = await dying.run().catch((error: Error) => error.message);
      if (outcome === 'finished') break;
      expect(outcome).toBe('killed');
      deaths++;
      expect(await (await toyTrainer(folder)).run()).toMatch(/finished$/);
      expect(differences(whole, folder), `died after change ${n}`).toEqual([]);
    }
    expect(deaths).toBeGreaterThan(15);
  });

  it('is the same when stopped again and again', async () => {
    const folder = path('often');
    let stops = 0;
    while ((await (await toyTrainer(folder, {}, stoppingAt(3))).run()) === 'interrupted') stops++;
    expect(stops).toBeGreaterThan(2);
    expect(differences(whole, folder)).toEqual([]);
  });

  it('reports that it is finished, and changes nothing', async () => {
    const before = contents(whole);
    expect(await (await toyTrainer(whole)).run()).toBe('already finished');
    expect(await (await toyTrainer(whole, { epochs: 1, saveEvery: 1 })).run()).toBe('already finished');
    expect(contents(whole)).toEqual(before);
  });

  it.each([
    ['epochs', { epochs: 1 }],
    ['steps, the last one between two validations', { steps: 5 }],
  ])('continues after its end with more %s, like a run that had them from the start', async (name, options) => {
    const folder = path(`longer-${name}`);
    expect(await (await toyTrainer(folder, options)).run()).toBe('finished');
    expect(differences(whole, folder)).not.toEqual([]);
    expect(await (await toyTrainer(folder)).run()).toBe('finished');
    expect(differences(whole, folder)).toEqual([]);
  });

  it('remembers the best score and its patience', async () => {
    const never = { taskMetrics: async () => ({ bleu: 1, signature: 'the same each time' }) };
    const options = { epochs: 9, validateEvery: 2, patience: 2, bestBy: 'bleu' as const };
    const straight = path('patient');
    expect(await (await toyTrainer(straight, options, never)).run()).toBe('patience');
    const events = readFileSync(`${straight}/training/events.jsonl`, 'utf8');
    expect(events).toContain('{"kind":"stop","step":6,"epoch":');
    for (const n of [5, 9]) {
      const folder = path(`patient-${n}`);
      await (await toyTrainer(folder, options, { ...never, ...stoppingAt(n) })).run();
      expect(await (await toyTrainer(folder, options, never)).run()).toBe('patience');
      expect(differences(straight, folder)).toEqual([]);
    }
  });

  it('makes the same noise', async () => {
    const rates = { bpeDropout: 0.1, noiseCase: 0.2, noiseTypos: 0.2, seed: 1 };
    const augment = augmentation({ source: tokenizer, target: tokenizer }, rates);
    const [straight, folder] = [path('noise'), path('noise-stopped')];
    await (await toyTrainer(straight, {}, { augment })).run();
    expect(differences(whole, straight)).not.toEqual([]);
    expect(await (await toyTrainer(folder, {}, { augment, ...stoppingAt(6) })).run()).toBe('interrupted');
    await (await toyTrainer(folder, {}, { augment })).run();
    expect(differences(straight, folder)).toEqual([]);
  });

  it('mixes corpora in the same order', async () => {
    const corpora = [
      { pairs: 30, weight: 1 },
      { pairs: 90, weight: 1 },
    ];
    const [straight, folder] = [path('mixed'), path('mixed-stopped')];
    await (await toyTrainer(straight, {}, { corpora })).run();
    expect(await (await toyTrainer(folder, {}, { corpora, ...stoppingAt(11) })).run()).toBe('interrupted');
    await (await toyTrainer(folder, {}, { corpora })).run();
    expect(differences(straight, folder)).toEqual([]);
  });

  it('refuses the state of another run, or of another architecture', async () => {
    const state = `${whole}/training/last.safetensors`;
    const other = await toyTrainer(whole, {}, { store: toyStore(whole, 'another run') });
    const message = `${state}: belongs to a run on other data or with other options; put the right file back`;
    await expect(other.run()).rejects.toThrow(message);
    const wider = await toyTrainer(whole, {}, {}, { dInner: 12 });
    await expect(wider.run()).rejects.toThrow(/must be \[.*12.*\] for this architecture, got \[.*8.*\]/);
  });
});

describe('a run', () => {
  it('is the same twice, and another one with another seed', async () => {
    await (await toyTrainer(path('twice'))).run();
    expect(differences(whole, path('twice'))).toEqual([]);
    await (await toyTrainer(path('seed'), { seed: 2 })).run();
    expect(differences(whole, path('seed'))).toContain('model.safetensors');
  });

  it('leaves a model to use when it is stopped before its first validation', async () => {
    const folder = path('early');
    expect(await (await toyTrainer(folder, {}, stoppingAt(2))).run()).toBe('interrupted');
    expect((await loadModel(folder)).parameters.data.every(Number.isFinite)).toBe(true);
    const atOnce = path('at-once');
    expect(await (await toyTrainer(atOnce, {}, { signal: AbortSignal.abort() })).run()).toBe('interrupted');
    await expect(loadModel(atOnce)).rejects.toThrow('is not a model folder');
  });

  it('stops at a NaN loss, names the step, and keeps the saved state', async () => {
    const folder = path('diverged');
    await (await toyTrainer(folder, { steps: 4 })).run();
    const before = contents(folder);
    const hot = { steps: 8, schedule: 'constant' as const, warmupSteps: 0, peakRate: 1e30, saveEvery: 0 };
    const advice = 'the last saved state is kept; try a lower peakRate, a longer warm-up or clipNorm.';
    await expect((await toyTrainer(folder, hot)).run()).rejects.toThrow(`train: the loss of step 6 is NaN; ${advice}`);
    for (const name of ['training/last.safetensors', 'model.safetensors'])
      expect(contents(folder).get(name)).toBe(before.get(name));
    expect(await (await toyTrainer(folder)).run()).toBe('finished');
    expect(differences(whole, folder)).toEqual([]);
  });

  it('never saves weights that are NaN', async () => {
    const folder = path('infinite');
    const hot = { schedule: 'constant' as const, warmupSteps: 0, peakRate: 1e300, saveEvery: 1 };
    await expect((await toyTrainer(folder, hot)).run()).rejects.toThrow(
      'train: step 1 made weights that are not finite numbers; the last saved state is kept',
    );
    expect([...contents(folder).keys()]).toEqual([]);
  });
});

describe('the norm of the gradient', () => {
  /** Looks at, and may change, what each training pass computes. */
  function seeing(look: (gradients: Float32Array[]) => void): Compile {
    return async (outputs, options) => {
      const program = await compile(outputs, options);
      const names = Object.keys(outputs).filter((name) => name.startsWith('gradient.'));
      if (names.length === 0) return program;
      const run = program.run.bind(program);
      program.run = async (...given) => {
        const results = await run(...given);
        look(names.map((name) => results[name].data as Float32Array));
        return results;
      };
      return program;
    };
  }

  it.each([0, 0.05])('is reported with each step event, before clipping to %d', async (clipNorm) => {
    let passes: Float32Array[][] = [];
    const { run } = TrainingStep.prototype;
    vi.spyOn(TrainingStep.prototype, 'run').mockImplementation(async function (this: TrainingStep, ...given) {
      const result = await run.apply(this, given);
      passes.push(result.gradients.map((gradient) => gradient.slice()));
      return result;
    });
    const norms: [told: number | undefined, computed: number][] = [];
    const trainer = await toyTrainer(
      path(`norm-${clipNorm}`),
      { steps: 3, logEvery: 1, clipNorm },
      {
        onEvent: (event) => {
          if (event.kind !== 'step') return;
          const sums = passes[0].map((part, i) =>
            part.map((_, k) => passes.reduce((sum, pass) => sum + pass[i][k], 0)),
          );
          const squares = sums.flatMap((sum) => [...sum]).reduce((sum, value) => sum + value * value, 0);
          norms.push([event.gradientNorm, Math.sqrt(squares) / event.targetTokens]);
          passes = [];
        },
      },
    );
    await trainer.run();
    vi.restoreAllMocks();
    expect(norms).toHaveLength(3);
    for (const [told, computed] of norms) expect((told ?? 0) / computed).toBeCloseTo(1, 6);
    expect(Math.min(...norms.map(([, computed]) => computed))).toBeGreaterThan(0.05);
  });

  it('stops the run when it is not finite, and names the step', async () => {
    let passes = 0;
    const spoilt = seeing((gradients) => {
      if (++passes === 5) gradients[0][0] = Number.POSITIVE_INFINITY;
    });
    const folder = path('infinite-gradient');
    const trainer = await toyTrainer(folder, { steps: 4, saveEvery: 1, clipNorm: 1 }, { compile: spoilt });
    const message = 'train: the norm of the gradient of step 3 is Infinity; the last saved state is kept; try a lower';
    await expect(trainer.run()).rejects.toThrow(message);
    expect(await (await toyTrainer(folder, { steps: 4, clipNorm: 1 })).run()).toBe('finished');
  });
});
