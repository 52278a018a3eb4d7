// The same step twice gives the same bits, on several threads too: resuming exactly depends on it.

import { expect, it } from 'vitest';
import { buildModel, transformerConfig } from '../src/architectures/index.ts';
import { Random } from '../src/base/random.ts';
import { compile } from '../src/runtime/node/index.ts';
import { modelGraph } from '../src/tasks/index.ts';
import { type TrainingBatch, TrainingStep } from '../src/train/index.ts';

/** Few different tokens, so that some occur often. */
function batchOf({ rows, length }: { rows: number; length: number }): TrainingBatch {
  const random = Random.of(2);
  const ids = () => ({
    shape: [rows, length],
    data: Int32Array.from({ length: rows * length }, () => 3 + random.integer(5)),
  });
  const [source, target, expected] = [ids(), ids(), ids()];
  return { inputs: new Map(Object.entries({ source, target })), expected, targetTokens: rows * length };
}

async function gradientsOf(step: TrainingStep, batch: TrainingBatch): Promise<Buffer[]> {
  const { loss, gradients } = await step.run(batch, Random.of(3));
  return [Float32Array.of(loss), ...gradients].map(({ buffer }) => Buffer.from(buffer));
}

it('a training step on two threads gives the same bits again, with frequent tokens', async () => {
  const options = { dModel: 64, heads: 4, dInner: 128, encoderLayers: 1, decoderLayers: 1 };
  const config = transformerConfig(options, { sourceVocabularySize: 40 });
  const step = await TrainingStep.compile(compile, modelGraph(buildModel(config, { dropout: true }), 0.1), {
    seed: 1,
    threads: 2,
  });
  const batch = batchOf({ rows: 64, length: 16 });
  const first = await gradientsOf(step, batch);
  for (let repeat = 0; repeat < 30; repeat++) {
    const again = await gradientsOf(step, batch);
    again.forEach((array, i) => {
      expect(Buffer.compare(array, first[i]), `gradient ${i - 1}`).toBe(0);
    });
  }
});

it('a training step gives the same bits on one thread and on two, with rows that do not divide evenly', async () => {
  const options = { dModel: 128, heads: 4, dInner: 256, encoderLayers: 2, decoderLayers: 2 };
  const config = transformerConfig(options, { sourceVocabularySize: 700 });
  const [one, two] = await Promise.all(
    [1, 2].map((threads) =>
      TrainingStep.compile(compile, modelGraph(buildModel(config, { dropout: true }), 0.1), { seed: 1, threads }),
    ),
  );
  for (const [rows, length] of [
    [23, 9],
    [59, 11],
    [41, 19],
  ]) {
    const batch = batchOf({ rows, length });
    const [first, second] = [await gradientsOf(one, batch), await gradientsOf(two, batch)];
    second.forEach((array, i) => {
      expect(Buffer.compare(array, first[i]), `gradient ${i - 1} of ${rows} rows`).toBe(0);
    });
  }
});
