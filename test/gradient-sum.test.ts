import { describe, expect, it } from 'vitest';
import { buildModel, transformerConfig } from '../src/architectures/index.ts';
import { Random } from '../src/base/random.ts';
import { collate, type EncodedPair } from '../src/data/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { modelGraph, pairBatch } from '../src/tasks/index.ts';
import { GradientSum, TrainingStep } from '../src/train/index.ts';

const controls = { padId: 0, startId: 1, endId: 2 };
const ids = { source: controls, target: controls };

/** Pairs of different lengths. */
function pairsOf(count: number): EncodedPair[] {
  const random = Random.of(1);
  const side = () => Int32Array.from({ length: 1 + random.integer(9) }, () => 3 + random.integer(17));
  return Array.from({ length: count }, () => ({ source: side(), target: side() }));
}

describe('GradientSum', () => {
  it('of micro-batches is the gradient of one large batch', async () => {
    const options = { dModel: 16, heads: 2, dInner: 32, encoderLayers: 1, decoderLayers: 1, dropout: 0 };
    const config = transformerConfig(options, { sourceVocabularySize: 20 });
    const step = await TrainingStep.compile(compile, modelGraph(buildModel(config, { dropout: true }), 0.1), {
      seed: 1,
      threads: 1,
    });
    const pairs = pairsOf(9);
    const sumOver = async (...batches: number[][]) => {
      const sum = new GradientSum();
      for (const indices of batches) {
        const batch = collate(
          indices.map((index) => pairs[index]),
          ids,
        );
        sum.add(await step.run(pairBatch(batch), Random.of(1)), batch.targetTokens);
      }
      return sum;
    };
    const whole = await sumOver([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    const parts = await sumOver([8, 3], [0], [1, 2, 4, 5, 6, 7]);

    expect(parts.targetTokens).toBe(whole.targetTokens);
    expect(Math.abs(parts.loss / whole.loss - 1)).toBeLessThan(1e-6);
    expect(Math.abs(parts.negativeLogLikelihood / whole.negativeLogLikelihood - 1)).toBeLessThan(1e-6);
    expect(Math.abs(parts.norm() / whole.norm() - 1)).toBeLessThan(1e-6);
    const scale = whole.norm() * whole.targetTokens;
    whole.gradients.forEach((gradient, i) => {
      const squares = gradient.reduce((total, entry, k) => total + (entry - parts.gradients[i][k]) ** 2, 0);
      expect(Math.sqrt(squares) / scale, step.parameters.parameters[i].name).toBeLessThan(1e-6);
    });
  });

  it('has the norm of the mean loss’s gradient for any number of batches', () => {
    const sum = new GradientSum();
    const part = (...entries: number[]) => ({
      loss: 1,
      negativeLogLikelihood: 2,
      gradients: [Float32Array.from(entries)],
    });
    sum.add(part(4, 0), 3);
    sum.add(part(2, 8), 7);
    expect(sum).toMatchObject({ loss: 2, negativeLogLikelihood: 4, targetTokens: 10 });
    expect([...sum.gradients[0]]).toEqual([6, 8]);
    expect(sum.norm()).toBe(1);
  });

  it('is empty before the first batch', () => {
    expect(new GradientSum().gradients).toEqual([]);
  });
});
