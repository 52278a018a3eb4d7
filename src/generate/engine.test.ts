import { describe, expect, it } from 'vitest';
import { batchLogits, Transformer, transformerConfig } from '../architectures/index.ts';
import { Random } from '../base/random.ts';
import { ParameterSet, parametersOf, type Values } from '../runtime/index.ts';
import { compile } from '../runtime/node/index.ts';
import { logSoftmax } from '../tensor/index.ts';
import { GenerationEngine } from './engine.ts';

const vocabulary = { sourceVocabularySize: 19 };
const small = { dModel: 16, heads: 2, dKey: 6, dValue: 5, dInner: 24, encoderLayers: 2, decoderLayers: 2 };
const variants = [
  {},
  { norm: 'pre', positions: 'rotary', activation: 'swiglu' },
  { positions: 'learned', maxPositions: 16, embeddings: 'separate' },
  { decoderMixer: 'gru' },
] as const;

describe.each(variants)('GenerationEngine %j', (variant) => {
  const config = transformerConfig({ ...small, ...variant }, vocabulary);
  const logits = batchLogits(new Transformer({ ...config, dropout: 0 }));
  const parameters = ParameterSet.initialize(parametersOf([logits]), 7);

  it.each(['constants', 'fed'] as const)(
    'gives the same results with cached steps as in the full pass, with re-ordered beams and finished sentences (%s)',
    async (weights) => {
      const full = await compile({ logProbabilities: logSoftmax(logits) }, { weights: parameters.weights() });
      const engine = new GenerationEngine(
        { config, parameters },
        {
          compile,
          startId: 1,
          endId: 2,
          weights,
          attentionLayer: 1,
        },
      );
      const sources = [
        [5, 6, 7, 8, 2],
        [9, 2],
        [10, 11, 12, 2],
      ].map((ids) => Int32Array.from(ids));
      await search();
      // Again, with the buffers of the first run.
      await search();

      async function search(): Promise<void> {
        const model = await engine.start(sources);
        const random = Random.of(3);
        const width = 3;
        let active = [0, 1, 2];
        let histories: number[][] = active.flatMap(() => Array.from({ length: width }, () => []));
        let parents = histories.map((_, row) => row);
        for (let step = 0; step < 7; step++) {
          if (step === 3) {
            // The middle sentence is finished; the rows of the others move up.
            parents = parents.filter((_, row) => active[Math.floor(row / width)] !== 1);
            active = [0, 2];
          }
          histories = parents.map((parent) => histories[parent]);
          const tokens = histories.map(() => (step === 0 ? 1 : 3 + random.integer(16)));
          histories = histories.map((history, row) => [...history, tokens[row]]);
          const scores = await model.step({
            sentences: Int32Array.from(active),
            width,
            tokens: Int32Array.from(tokens),
            parents: Int32Array.from(parents),
            top: step % 2 === 0 ? undefined : 4,
          });
          const expected = await fullPass(
            histories,
            active.flatMap((sentence) => Array(width).fill(sources[sentence])),
          );
          compareRows(scores, expected);
          const sums = [...Array(histories.length).keys()].map((row) => rowSum(scores.attention, row, 5));
          for (const sum of sums) expect(sum).toBeCloseTo(1, 5);
          parents = histories.map((_, row) => Math.floor(row / width) * width + random.integer(width));
        }
        model.release();
      }

      async function fullPass(targets: number[][], rowSources: Int32Array[]): Promise<Float32Array[]> {
        const feeds = new Map<string, Values>([
          ['target', { shape: [targets.length, targets[0].length], data: Int32Array.from(targets.flat()) }],
          ['source', paddedTo(5, rowSources)],
        ]);
        const { logProbabilities } = await full.run(feeds);
        const size = config.targetVocabularySize;
        const length = targets[0].length;
        return targets.map((_, row) => {
          const end = (row * length + length) * size;
          return (logProbabilities.data as Float32Array).subarray(end - size, end);
        });
      }
    },
  );
});

function paddedTo(length: number, rows: Int32Array[]): Values {
  const data = new Int32Array(rows.length * length);
  rows.forEach((row, i) => {
    data.set(row, i * length);
  });
  return { shape: [rows.length, length], data };
}

function compareRows(
  scores: { logProbabilities: Float32Array; tokens: Int32Array | undefined },
  expected: Float32Array[],
): void {
  const count = scores.logProbabilities.length / expected.length;
  expected.forEach((row, i) => {
    for (let k = 0; k < count; k++) {
      const id = scores.tokens?.[i * count + k] ?? k;
      expect(scores.logProbabilities[i * count + k]).toBeCloseTo(row[id], 4);
    }
  });
}

function rowSum(data: Float32Array | undefined, row: number, length: number): number {
  return (data ?? new Float32Array()).subarray(row * length, (row + 1) * length).reduce((sum, value) => sum + value, 0);
}
