import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import { transformerConfig } from '../nn/index.ts';
import { compile } from '../runtime/node/index.ts';
import { add, gradients, input, multiply, scatterAdd } from '../tensor/index.ts';
import { addRows, splitRows } from './row-gradients.ts';
import { feedsOf, TrainingStep, trainingGraph } from './step.ts';

describe('splitRows', () => {
  const dense = input('dense', 'float32', [5, 2]);
  const ids = input('ids', 'int32', ['batch', 3]);
  const updates = input('updates', 'float32', ['batch', 3, 2]);
  const scattered = scatterAdd(ids, updates, 5);

  it('takes the scattered rows out of a sum, wherever they stand in it', () => {
    const squares = multiply(dense, dense);
    const { rest, rows } = splitRows(add(add(scattered, dense), add(squares, scattered)));
    expect(rest).toMatchObject({ operator: { name: 'add' }, inputs: [dense, squares] });
    expect(rows).toEqual([
      { ids, updates },
      { ids, updates },
    ]);
  });

  it('leaves nothing of rows alone', () => {
    expect(splitRows(scattered)).toEqual({ rest: undefined, rows: [{ ids, updates }] });
  });

  it('leaves alone what is no such sum: another operator, or a term that is stretched', () => {
    const product = multiply(scattered, dense);
    expect(splitRows(product)).toEqual({ rest: product, rows: [] });
    const stretched = add(scatterAdd(ids, updates, 1), dense);
    expect(splitRows(stretched)).toEqual({ rest: stretched, rows: [] });
  });
});

describe('addRows', () => {
  it('adds each update to the row that its id names', () => {
    const sums = Float32Array.of(1, 1, 2, 2, 3, 3);
    addRows(sums, Int32Array.of(2, 0, 2), Float32Array.of(10, 20, 30, 40, 50, 60));
    expect([...sums]).toEqual([31, 41, 2, 2, 63, 83]);
  });
});

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
      const step = await TrainingStep.compile(compile, config, { smoothing: 0.1, seed: 1, threads: 1 });
      const ids = (length: number) => Int32Array.from({ length: 4 * length }, (_, i) => 3 + ((i * i) % 6));
      const batch = {
        ...{ rows: 4, sourceLength: 7, targetLength: 5, targetTokens: 20 },
        ...{ source: ids(7), decoderInput: ids(5), expected: ids(5) },
        ...{ sourceLengths: Int32Array.of(7, 7, 7, 7), targetLengths: Int32Array.of(5, 5, 5, 5) },
      };
      const { loss, parameters } = trainingGraph(config, 0.1);
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
