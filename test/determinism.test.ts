// The same step twice gives the same bits, on several threads too: resuming exactly depends on it.

import { expect, it } from 'vitest';
import { Random } from '../src/base/random.ts';
import { transformerConfig } from '../src/nn/index.ts';
import { compile } from '../src/runtime/node.ts';
import { TrainingStep } from '../src/train/index.ts';

it('a training step on two threads repeats to the bit, with tokens that occur often', async () => {
  const config = transformerConfig(
    { dModel: 64, heads: 4, dInner: 128, encoderLayers: 1, decoderLayers: 1 },
    { sourceVocabularySize: 40 },
  );
  const step = await TrainingStep.compile(compile, config, { smoothing: 0.1, seed: 1, threads: 2 });
  const random = Random.of(2);
  const [rows, length] = [64, 16];
  const ids = () => Int32Array.from({ length: rows * length }, () => 3 + random.integer(5));
  const batch = {
    ...{ rows, sourceLength: length, targetLength: length, targetTokens: rows * length },
    ...{ source: ids(), decoderInput: ids(), expected: ids() },
    sourceLengths: new Int32Array(rows).fill(length),
    targetLengths: new Int32Array(rows).fill(length),
  };
  const first = await step.run(batch, Random.of(3));
  for (let repeat = 0; repeat < 30; repeat++) {
    const again = await step.run(batch, Random.of(3));
    expect(again.loss).toBe(first.loss);
    again.gradients.forEach((gradient, i) => {
      expect(
        Buffer.compare(Buffer.from(gradient.buffer), Buffer.from(first.gradients[i].buffer)),
        `gradient ${i}`,
      ).toBe(0);
    });
  }
});
