// A training step computes rows of embedding gradients apart from the graph: the sums are those of the graph itself.

import { describe, expect, it } from 'vitest';
import { buildModel, transformerConfig } from '../src/architectures/index.ts';
import { Random } from '../src/base/random.ts';
import { compile } from '../src/runtime/node/index.ts';
import { modelGraph } from '../src/tasks/index.ts';
import { gradients } from '../src/tensor/index.ts';
import { TrainingStep } from '../src/train/index.ts';
import { feedsOf } from '../src/train/step.ts';

describe('a training step', () => {
  it.each(['tied', 'target', 'separate'] as const)(
    'has the gradients that the graph itself computes, embeddings %s',
    async (embeddings) => {
      const options = {
        dModel: 16,
        heads: 2,
        dInner: 32,
        encoderLayers: 1,
        decoderLayers: 1,
        dropout: 0,
        embeddings,
      };
      const config = transformerConfig(options, { sourceVocabularySize: 9 });
      const step = await TrainingStep.compile(compile, modelGraph(buildModel(config, { dropout: true }), 0.1), {
        seed: 1,
        threads: 1,
      });
      const ids = (length: number) => ({
        shape: [4, length],
        data: Int32Array.from({ length: 4 * length }, (_, i) => 3 + ((i * i) % 6)),
      });
      const inputs = new Map([
        ['source', ids(7)],
        ['target', ids(5)],
      ]);
      const batch = { inputs, expected: ids(5), targetTokens: 20 };
      const { loss, parameters } = modelGraph(buildModel(config, { dropout: true }), 0.1);
      const slopes = gradients(loss.total, parameters).map((slope, i) => [`${i}`, slope] as const);
      const whole = await compile(Object.fromEntries(slopes), { threads: 1 });
      const expected = await whole.run(feedsOf(batch, step.parameters));
      const { gradients: got } = await step.run(batch, Random.of(1));
      got.forEach((gradient, i) => {
        gradient.forEach((entry, k) => {
          expect(entry, `${step.parameters.parameters[i].name} ${k}`).toBeCloseTo(expected[i].data[k], 4);
        });
      });
    },
  );
});
