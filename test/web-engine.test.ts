// The engine for pages, onnxruntime-web, in Node: the same translations and the same training step as by native kernels.

import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildModel, transformerConfig } from '../src/architectures/index.ts';
import { Random } from '../src/base/random.ts';
import type { Batch } from '../src/data/index.ts';
import type { StoredModel } from '../src/model/index.ts';
import { loadModel } from '../src/model/node.ts';
import { compile as compileNative } from '../src/runtime/node/index.ts';
import { compile as compileWeb } from '../src/runtime/web/index.ts';
import { modelGraph, pairBatch } from '../src/tasks/index.ts';
import { input, scale } from '../src/tensor/index.ts';
import { TrainingStep } from '../src/train/index.ts';
import { Translator } from '../src/translate/index.ts';

const sentences = [
  'The weather is fine today.',
  'He bought three books and a newspaper at the station.',
  'Where is the nearest hospital?',
];
const searches = [{ beam: 1 }, { beam: 4 }];

describe('the bundled model', () => {
  let stored: StoredModel;
  beforeAll(async () => {
    stored = await loadModel(fileURLToPath(new URL('../models/en-zh', import.meta.url)));
  });

  /** Translations by both engines: a batch, and a lone sentence. */
  async function translations(model: StoredModel) {
    const results = [compileNative, compileWeb].map(async (compile) => {
      const translator = new Translator(model, { compile, threads: 1 });
      const found: { tokens: number[]; score: number }[] = [];
      for (const search of searches)
        for (const lines of [sentences, sentences.slice(0, 1)])
          for (const { translations } of await translator.translateAll(lines, { ...search, from: 'en', to: 'zh' }))
            found.push({ tokens: [...translations[0].tokens], score: translations[0].score });
      await translator.release();
      return found;
    });
    const [native, web] = await Promise.all(results);
    return { native, web };
  }

  it('translates with floats as with native kernels, greedy and with beams', async () => {
    const { native, web } = await translations({ ...stored, quantized: undefined });
    expect(web.map(({ tokens }) => tokens)).toEqual(native.map(({ tokens }) => tokens));
    web.forEach(({ score }, i) => {
      expect(score).toBeCloseTo(native[i].score, 4);
    });
  });

  it('translates with int8 as with native kernels', async () => {
    const { native, web } = await translations(stored);
    expect(web.map(({ tokens }) => tokens)).toEqual(native.map(({ tokens }) => tokens));
    web.forEach(({ score }, i) => {
      expect(score).toBeCloseTo(native[i].score, 4);
    });
  });
});

it('uses one thread without cross-origin isolation', async () => {
  const program = await compileWeb({ y: scale(input('x', 'float32', [1]), 3) }, { threads: 2 });
  const { y } = await program.run(new Map([['x', { shape: [1], data: Float32Array.of(2) }]]));
  expect(y.data).toEqual(Float32Array.of(6));
});

describe('a training step', () => {
  it('has the loss and the gradients of native kernels', async () => {
    const config = transformerConfig(
      { dModel: 32, heads: 4, dInner: 64, encoderLayers: 2, decoderLayers: 2, dropout: 0.1 },
      { sourceVocabularySize: 40 },
    );
    const ids = (random: Random, length: number) => Int32Array.from({ length }, () => 3 + random.integer(37));
    const random = Random.of(5);
    const [rows, sourceLength, targetLength] = [3, 7, 6];
    const batch: Batch = {
      rows,
      sourceLength,
      targetLength,
      source: ids(random, rows * sourceLength),
      decoderInput: ids(random, rows * targetLength),
      expected: ids(random, rows * targetLength),
      sourceLengths: new Int32Array(rows).fill(sourceLength),
      targetLengths: new Int32Array(rows).fill(targetLength),
      targetTokens: rows * targetLength,
    };
    const [native, web] = await Promise.all(
      [compileNative, compileWeb].map(async (compile) => {
        const graph = modelGraph(buildModel(config, { dropout: true }), 0.1);
        const step = await TrainingStep.compile(compile, graph, { seed: 1, threads: 1 });
        const names = step.parameters.parameters.map(({ name }) => name);
        return { names, ...(await step.run(pairBatch(batch), Random.of(2))) };
      }),
    );
    expect(Math.abs(web.loss / native.loss - 1)).toBeLessThan(1e-6);
    const differences = native.gradients.map((gradient, i) => gradient.map((value, k) => value - web.gradients[i][k]));
    const lengthOf = (vectors: readonly Float32Array[]) =>
      Math.hypot(...vectors.map((vector) => Math.hypot(...vector)));
    expect(lengthOf(differences) / lengthOf(native.gradients)).toBeLessThan(1e-6);
    native.names.forEach((name, i) => {
      // A bias of keys moves all scores of a query alike, which softmax does not see: its gradient is rounding alone.
      if (name.endsWith('key.bias')) return;
      expect(lengthOf([differences[i]]) / lengthOf([native.gradients[i]]), name).toBeLessThan(1e-5);
    });
  });
});
