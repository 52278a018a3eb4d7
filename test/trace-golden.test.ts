// Traces of the models whose results PyTorch has computed (tools/golden/transformer.py): the same sentences, one by one.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  batchLogits,
  Transformer,
  type TransformerConfig,
  transformerConfig,
  transformerOptions,
  type Vocabulary,
} from '../src/architectures/index.ts';
import type { StoredModel } from '../src/model/index.ts';
import { ParameterSet, parametersOf } from '../src/runtime/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { arrayValues } from '../src/translate/index.ts';
import { Tracer } from '../src/translate/trace/tracer.ts';
import { smallTokenizer } from './small-model.ts';

interface GoldenArray {
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

interface Golden {
  readonly config: Record<string, unknown> & Required<Vocabulary>;
  readonly inputs: { readonly source: number[][]; readonly targetInput: number[][] };
  readonly logits: GoldenArray;
  readonly intermediates: Record<'encoder.output' | 'decoder.layers.1.crossAttention.weights', GoldenArray>;
  readonly parameters: Record<string, GoldenArray>;
}

function goldenModel({
  config: chosen,
  parameters: arrays,
}: Golden): StoredModel & { readonly config: TransformerConfig } {
  const options = Object.fromEntries(Object.entries(chosen).filter(([key]) => key in transformerOptions.shape));
  const config = transformerConfig(options, chosen);
  const parameters = ParameterSet.zerosOf(parametersOf([batchLogits(new Transformer(config))]));
  const values = Object.entries(arrays).map(
    ([name, { shape, values }]) => [name, { shape, data: Float32Array.from(values) }] as const,
  );
  parameters.assign(new Map(values), 'golden');
  // Its pieces mean nothing here: only the ids of START and END are those of the golden data.
  const tokenizer = smallTokenizer(0);
  const nothing = { generation: {}, training: {}, directions: [] };
  return { config, parameters, sourceTokenizer: tokenizer, targetTokenizer: tokenizer, ...nothing };
}

/** One sentence's part of [batch, …, rows, columns] or [batch, rows, columns], without the padding. */
function partOf({ shape, values }: GoldenArray, sentence: number, [rows, columns]: readonly number[]): number[] {
  const [batch, heads] = shape.length === 4 ? shape : [shape[0], 1];
  const [paddedRows, paddedColumns] = shape.slice(-2);
  const offset = (sentence * values.length) / batch;
  return Array.from({ length: heads * rows * columns }, (_, i) => {
    const [head, row, column] = [Math.floor(i / (rows * columns)), Math.floor(i / columns) % rows, i % columns];
    return values[offset + (head * paddedRows + row) * paddedColumns + column];
  });
}

describe.each([
  'paper',
  'pre-norm',
  'concatenated-separate',
  'learned-gelu',
  'rotary-swiglu',
  'no-attention-bias',
  'target-tied',
])('%s', (name) => {
  const golden: Golden = JSON.parse(readFileSync(new URL(`golden/transformer-${name}.json`, import.meta.url), 'utf8'));
  const model = goldenModel(golden);
  const tracer = new Tracer(model, { compile, threads: 1 }, { name, alignmentLayer: 0 });
  const view = { translation: [], tensors: 'all', search: false, candidates: 1, arrays: 'base64' } as const;

  it.each([0, 1, 2])(
    'sentence %i has the attention, the encoder’s output and the logits of PyTorch',
    async (sentence) => {
      const real = (rows: number[][]) => rows[sentence].filter((id) => id !== 0);
      const source = Int32Array.from(real(golden.inputs.source));
      const target = real(golden.inputs.targetInput).slice(1);
      const trace = await tracer.trace({ text: '', source, target }, view);
      const [S, T] = [source.length, target.length + 1];
      const close = (got: Float32Array, expected: readonly number[]) => {
        expect(got.length).toBe(expected.length);
        for (const [i, value] of expected.entries()) expect(got[i]).toBeCloseTo(value, 4);
      };
      const { 'encoder.output': output, 'decoder.layers.1.crossAttention.weights': weights } = golden.intermediates;
      close(arrayValues(trace.attention.cross[1]), partOf(weights, sentence, [T, S]));
      const encoded = trace.tensors?.find((tensor) => tensor.name === 'encoder.output');
      close(arrayValues(encoded ?? { shape: [0], values: [] }), partOf(output, sentence, [S, model.config.dModel]));
      const logits = partOf(golden.logits, sentence, [T, model.config.targetVocabularySize]);
      for (const [t, { best, next }] of trace.target.predictions.entries()) {
        const row = logits.slice(t * model.config.targetVocabularySize, (t + 1) * model.config.targetVocabularySize);
        expect(best[0].logit).toBeCloseTo(Math.max(...row), 3);
        expect(next.logit).toBeCloseTo(row[next.id], 3);
      }
    },
  );
});
