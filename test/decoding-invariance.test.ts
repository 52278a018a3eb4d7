// Translations and scores do not depend on how lines are batched, tested on whole models.

import { beforeAll, describe, expect, it } from 'vitest';
import type { TransformerConfig } from '../src/architectures/index.ts';
import { Random } from '../src/base/random.ts';
import { quantizeModel } from '../src/model/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { type TranslatedLine, type TranslateOptions, Translator } from '../src/translate/index.ts';
import { wordyLines, wordyModel } from './wordy-model.ts';

const lines = wordyLines(200, 7);

/** Bit for bit. */
function expectSame(got: readonly TranslatedLine[], expected: readonly TranslatedLine[]): void {
  expect(got.map(({ source, translations }) => ({ source, translations }))).toEqual(
    expected.map(({ source, translations }) => ({ source, translations })),
  );
}

describe.each<[string, TranslateOptions]>([
  ['beam 3', { beam: 3, nBest: 2 }],
  ['greedy', { beam: 1 }],
  ['sampling', { sampling: { topK: 20, seed: 4 } }],
])('200 lines of 1 to 60 words by %s', (_, options) => {
  const translator = new Translator(wordyModel(), { compile, threads: 1 });
  let expected: TranslatedLine[];

  beforeAll(async () => {
    expected = await translator.translateAll(lines, { ...options, batchTokens: 1 });
  }, 240_000);

  it('are long and varied translations, one at a time', () => {
    const texts = new Set(expected.map(({ translations: [{ text }] }) => text));
    const pieces = expected.flatMap(({ translations: [{ pieces }] }) => pieces);
    expect(texts.size).toBeGreaterThan(150);
    expect(new Set(pieces).size).toBeGreaterThan(80);
    expect(pieces.length / lines.length).toBeGreaterThan(10);
  });

  it.each([7, 64])(
    'are the same in batches of %i',
    async (size) => {
      const got: TranslatedLine[] = [];
      for (let first = 0; first < lines.length; first += size) {
        const window = lines.slice(first, first + size);
        got.push(...(await translator.translateAll(window, { ...options, batchTokens: 1e9, firstLine: first })));
      }
      expectSame(got, expected);
    },
    240_000,
  );

  it('are the same in shuffled order', async () => {
    // Samples depend on the line number, so these lines are not shuffled.
    if (options.sampling !== undefined) return;
    const order = Random.of(5, 'shuffle').shuffle([...lines.keys()]);
    const got = await translator.translateAll(
      order.map((i) => lines[i]),
      options,
    );
    const backInOrder = lines.map((_, i) => got[order.indexOf(i)]);
    expectSame(backInOrder, expected);
  }, 240_000);

  it('are the same read from a stream in windows of any size', async () => {
    const got: TranslatedLine[] = [];
    for await (const line of translator.translateLines(lines, { ...options, windowLines: 33 })) got.push(line);
    expectSame(got, expected);
  }, 240_000);
});

describe.each<[string, TranslateOptions]>([
  ['beam 3', { beam: 3 }],
  ['greedy', { beam: 1 }],
])('the same lines by %s and int8, whose codes a last bit may change', (_, options) => {
  it.each([7, 64])(
    'are the same bits in batches of %i as alone',
    async (size) => {
      const model = wordyModel();
      const translator = new Translator({ ...model, ...quantizeModel(model) }, { compile, threads: 1 });
      const expected = await translator.translateAll(lines, { ...options, batchTokens: 1 });
      for (let first = 0; first < lines.length; first += size) {
        const window = lines.slice(first, first + size);
        const got = await translator.translateAll(window, { ...options, batchTokens: 1e9 });
        expect(got.map(({ translations: [best] }) => best)).toEqual(
          expected.slice(first, first + size).map(({ translations: [best] }) => best),
        );
      }
    },
    240_000,
  );
});

describe.each<[string, Partial<TransformerConfig>]>([
  ['pre-norm, rotary', { dModel: 64, heads: 2, dInner: 96, norm: 'pre', positions: 'rotary', activation: 'swiglu' }],
  ['wide heads', { dModel: 96, heads: 3, dKey: 20, dValue: 28, dInner: 700, positions: 'concatenated' }],
])('lines of another architecture, %s', (_, architecture) => {
  const model = wordyModel({ seed: 5, architecture });
  it.each([
    ['float32', model],
    ['int8', quantizeModel(model)],
  ])(
    'are the same bits in a batch as alone, %s',
    async (_, { quantized, parameters }) => {
      const translator = new Translator({ ...model, quantized, parameters }, { compile, threads: 1 });
      for (const options of [{ beam: 1 }, { beam: 3 }]) {
        const alone = await translator.translateAll(lines.slice(0, 40), { ...options, batchTokens: 1 });
        expectSame(await translator.translateAll(lines.slice(0, 40), { ...options, batchTokens: 1e9 }), alone);
      }
    },
    240_000,
  );
});
