import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NumberedLine, TranslatedLine, TranslateOptions } from '../../translate/index.ts';
import { type BatchTranslator, Scheduler } from './scheduler.ts';

interface Batch {
  readonly lines: readonly NumberedLine[];
  readonly options: TranslateOptions;
  finish(): void;
  fail(error: Error): void;
}

/** A translator whose batches are completed by the test. */
class SlowTranslator implements BatchTranslator {
  readonly batches: Batch[] = [];

  constructor(readonly workers: number) {}

  translateTogether(lines: readonly NumberedLine[], options: TranslateOptions): Promise<TranslatedLine[]> {
    return new Promise((resolve, reject) => {
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
      const finish = () => resolve(lines.map(translated));
      this.batches.push({ lines, options, finish, fail: reject });
    });
  }

  /** Waits until this many batches have begun. */
  async begun(count: number): Promise<void> {
    while (this.batches.length < count) await tick();
  }

  textsOf(batch: number): string[] {
    return this.batches[batch].lines.map(({ source }) => source);
  }
}

function translated({ source, number }: NumberedLine): TranslatedLine {
  const nothing = { score: 0, tokens: [], pieces: [], logProbabilities: [], missingTerms: [] };
  return { source, sourcePieces: [], translations: [{ text: `${source}/${number}`, reason: 'end', ...nothing }] };
}

const textsOf = (lines: readonly TranslatedLine[]) => lines.map(({ translations }) => translations[0].text);
const tick = () => new Promise((resolve) => setTimeout(resolve, 1));
const options = { batchTokens: 20, batchWaitMs: 0 };
const forEver = new AbortController().signal;

describe('Scheduler', () => {
  it('lets sentences of several requests share a batch, each with its number in its own request', async () => {
    const translator = new SlowTranslator(1);
    const scheduler = new Scheduler(translator, options);
    const first = scheduler.translate(['a', 'b'], {}, forEver);
    const second = scheduler.translate(['c'], {}, forEver);
    await translator.begun(1);
    expect(translator.textsOf(0).sort()).toEqual(['a', 'b', 'c']);
    translator.batches[0].finish();
    expect(textsOf(await first)).toEqual(['a/0', 'b/1']);
    expect(textsOf(await second)).toEqual(['c/0']);
  });

  it('keeps requests with other options apart', async () => {
    const translator = new SlowTranslator(1);
    const scheduler = new Scheduler(translator, options);
    const both = [scheduler.translate(['a'], { beam: 1 }, forEver), scheduler.translate(['b'], { beam: 2 }, forEver)];
    await translator.begun(1);
    expect(translator.textsOf(0)).toEqual(['a']);
    translator.batches[0].finish();
    await translator.begun(2);
    expect(translator.batches[1].options.beam).toBe(2);
    translator.batches[1].finish();
    await Promise.all(both);
  });

  it('gives a short request its turn while a long one is translated', async () => {
    const translator = new SlowTranslator(1);
    const scheduler = new Scheduler(translator, { ...options, batchTokens: 4 });
    const long = scheduler.translate(Array(20).fill('long'), {}, forEver);
    await translator.begun(1);
    const short = scheduler.translate(['short'], {}, forEver);
    translator.batches[0].finish();
    await translator.begun(2);
    expect(translator.textsOf(1)).toContain('short');
    translator.batches[1].finish();
    expect(textsOf(await short)).toEqual(['short/0']);
    for (let i = 2; ; i++) {
      await Promise.race([long, translator.begun(i + 1)]);
      if (translator.batches.length <= i) break;
      translator.batches[i].finish();
    }
    expect(await long).toHaveLength(20);
  });

  it('shares the waiting sentences among idle workers', async () => {
    const translator = new SlowTranslator(2);
    const scheduler = new Scheduler(translator, { ...options, batchTokens: 100_000 });
    void scheduler.translate(Array(100).fill('x'.repeat(60)), {}, forEver);
    await translator.begun(2);
    expect(translator.batches.map(({ lines }) => lines.length)).toEqual([50, 50]);
  });

  it('stops a batch when all its requests have aborted, and only then', async () => {
    const translator = new SlowTranslator(1);
    const scheduler = new Scheduler(translator, options);
    const [one, two] = [new AbortController(), new AbortController()];
    const first = scheduler.translate(['a'], {}, one.signal);
    const second = scheduler.translate(['b'], {}, two.signal);
    await translator.begun(1);
    one.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(translator.batches[0].options.signal?.aborted).toBe(false);
    two.abort(new Error('gone too'));
    await expect(second).rejects.toThrow('gone too');
    expect(translator.batches[0].options.signal?.aborted).toBe(true);
  });

  it('does not begin a request that has aborted', async () => {
    const translator = new SlowTranslator(1);
    const scheduler = new Scheduler(translator, options);
    const stop = new AbortController();
    const busy = scheduler.translate(['a'], {}, forEver);
    await translator.begun(1);
    const unwanted = scheduler.translate(['b'], {}, stop.signal);
    const lone = scheduler.alone(async () => 'never', stop.signal);
    stop.abort(new Error('gone'));
    await expect(unwanted).rejects.toThrow('gone');
    await expect(lone).rejects.toThrow('gone');
    translator.batches[0].finish();
    await busy;
    await tick();
    expect(translator.batches).toHaveLength(1);
  });

  it('fails only the requests that caused an error', async () => {
    const translator = new SlowTranslator(1);
    const scheduler = new Scheduler(translator, options);
    const good = scheduler.translate(['a'], {}, forEver);
    const bad = scheduler.translate(['b'], {}, forEver);
    const badly = bad.catch((error: Error) => error.message);
    await translator.begun(1);
    translator.batches[0].fail(new Error('b is bad'));
    await translator.begun(2);
    translator.batches[1].finish();
    await translator.begun(3);
    translator.batches[2].fail(new Error('b is bad'));
    expect(textsOf(await good)).toEqual(['a/0']);
    expect(await badly).toBe('b is bad');
  });

  it('runs tasks with a worker to themselves in turn', async () => {
    const scheduler = new Scheduler(new SlowTranslator(1), options);
    await expect(scheduler.alone(async () => 7, forEver)).resolves.toBe(7);
    await expect(scheduler.alone(() => Promise.reject(new Error('no')), forEver)).rejects.toThrow('no');
    await expect(scheduler.alone(async () => 8, forEver)).resolves.toBe(8);
  });

  it('gives every sentence its own translation, whatever the batches', async () => {
    const requests = fc.array(fc.array(fc.string({ maxLength: 30 }), { maxLength: 12 }), { maxLength: 8 });
    const property = fc.asyncProperty(
      requests,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 300 }),
      async (all, workers, batchTokens) => {
        const translator: BatchTranslator = {
          workers,
          translateTogether: async (lines) => {
            expect(lines.length).toBeGreaterThan(0);
            return lines.map(translated);
          },
        };
        const scheduler = new Scheduler(translator, { batchTokens, batchWaitMs: 0 });
        const answers = await Promise.all(all.map((sentences) => scheduler.translate(sentences, {}, forEver)));
        expect(answers.map(textsOf)).toEqual(all.map((sentences) => sentences.map((text, i) => `${text}/${i}`)));
      },
    );
    await fc.assert(property, { numRuns: 50 });
  });
});
