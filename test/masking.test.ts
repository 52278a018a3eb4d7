// Logits do not depend on later target tokens, padding and the rest of the batch. In the runtime, for several variants.

import { describe, expect, it } from 'vitest';
import { batchLogits, buildModel, Transformer, transformerConfig } from '../src/architectures/index.ts';
import { Random } from '../src/base/random.ts';
import { ParameterSet, parametersOf, type Values } from '../src/runtime/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { modelGraph } from '../src/tasks/index.ts';
import { gradients, namedTensors, type Tensor } from '../src/tensor/index.ts';

type Options = Parameters<typeof transformerConfig>[0];

const SOURCE_PAD = 3;
const TARGET_PAD = 7;
const V = 23;
const size = { dModel: 32, heads: 4, dInner: 48, encoderLayers: 2, decoderLayers: 2, dropout: 0 } as const;
const vocabulary = {
  sourceVocabularySize: V,
  targetVocabularySize: V,
  sourcePadId: SOURCE_PAD,
  targetPadId: TARGET_PAD,
};

const variants: readonly Options[] = [
  {},
  { norm: 'pre', activation: 'gelu' },
  { positions: 'concatenated', attentionBias: false },
  { positions: 'learned', embeddings: 'target' },
  { positions: 'rotary', activation: 'swiglu', embeddings: 'separate' },
  { positions: 'none', dKey: 5, dValue: 9 },
];

describe.each(variants.map((options) => [JSON.stringify(options), options] as const))('with %s', (_, options) => {
  it('changing target token j changes no logit before j by a single bit', async () => {
    const model = await Model.of(options);
    const source = [sentence(1, 6), sentence(2, 6)];
    const target = [sentence(3, 8), sentence(4, 8)];
    const before = await model.logits(source, target);
    for (let j = 1; j < 8; j++) {
      const changed = target.map((row) => row.with(j, row[j] === 10 ? 11 : 10));
      const after = await model.logits(source, changed);
      for (let row = 0; row < 2; row++) {
        for (let t = 0; t < j; t++) expect(after[row][t]).toEqual(before[row][t]);
        expect(after[row][j]).not.toEqual(before[row][j]);
      }
    }
  });

  it('a sentence alone has the same logits as padded in a batch with longer ones', async () => {
    const model = await Model.of(options);
    const lengths = [4, 9, 1, 6];
    const source = lengths.map((length, i) => sentence(i, length));
    const target = lengths.toReversed().map((length, i) => sentence(10 + i, length));
    const together = await model.logits(padded(source, 12, SOURCE_PAD), padded(target, 11, TARGET_PAD));
    for (let row = 0; row < lengths.length; row++) {
      const [alone] = await model.logits([source[row]], [target[row]]);
      alone.forEach((logits, t) => {
        expectClose(together[row][t], logits, 1e-6);
      });
    }
  });

  it('the embedding of padding does not matter', async () => {
    const model = await Model.of(options);
    const source = padded([sentence(1, 5), sentence(2, 3)], 7, SOURCE_PAD);
    const target = padded([sentence(3, 4), sentence(4, 6)], 6, TARGET_PAD);
    const before = await model.logits(source, target);
    model.fillRows([SOURCE_PAD, TARGET_PAD], 1000);
    const after = await model.logits(source, target);
    for (const [row, length] of [4, 6].entries()) {
      for (let t = 0; t < length; t++) {
        const words = (logits: readonly number[]) => logits.filter((_, id) => id !== SOURCE_PAD && id !== TARGET_PAD);
        expect(words(after[row][t])).toEqual(words(before[row][t]));
      }
    }
  });

  it('an empty source gives zero weights and finite logits, and does not affect the rest of the batch', async () => {
    const model = await Model.of(options);
    const names = ['encoder.layers.0.selfAttention.weights', 'decoder.layers.1.crossAttention.weights'];
    const target = [sentence(3, 5), sentence(4, 5)];
    const results = await model.run([Array(4).fill(SOURCE_PAD), sentence(1, 4)], target, names);
    for (const name of names) {
      const { data } = results[name];
      const half = data.length / 2;
      expect(
        data.subarray(0, half).every((weight) => weight === 0),
        name,
      ).toBe(true);
      expect(
        data.subarray(half).every((weight) => weight > 0),
        name,
      ).toBe(true);
    }
    const logits = rowsOf(results.logits);
    expect(logits.flat(2).every(Number.isFinite)).toBe(true);
    const [alone] = await model.logits([sentence(1, 4)], [target[1]]);
    logits[1].forEach((row, t) => {
      expectClose(row, alone[t], 1e-6);
    });
  });

  it('an empty source gives finite gradients, and none for its cross-attention', async () => {
    const config = transformerConfig({ ...size, ...options }, vocabulary);
    const { loss, parameters } = modelGraph(buildModel(config, { dropout: true }), 0.1);
    const slopes = gradients(loss.total, parameters);
    const program = await compile(Object.fromEntries(slopes.map((slope, i) => [`${i}`, slope])), { threads: 1 });
    const set = ParameterSet.initialize(parameters, 1);
    const ids = { source: [Array(4).fill(SOURCE_PAD)], target: [sentence(1, 5)], expected: [sentence(2, 5)] };
    const feeds = new Map<string, Values>(set.parameters.map((parameter) => [parameter.name, parameter]));
    for (const [name, rows] of Object.entries(ids)) feeds.set(name, arrayOf(rows));
    const results = await program.run(feeds);
    set.parameters.forEach(({ name }, i) => {
      const { data } = results[`${i}`];
      expect(data.every(Number.isFinite), name).toBe(true);
      const starved = /(encoder.*selfAttention|crossAttention)\.(query|key|value)\./.test(name);
      if (starved)
        expect(
          data.every((slope) => slope === 0),
          name,
        ).toBe(true);
    });
  });
});

/** A small model, compiled with any of its named results as outputs. */
class Model {
  private constructor(
    private readonly logitsTensor: Tensor,
    private readonly parameters: ParameterSet,
  ) {}

  static async of(options: Options): Promise<Model> {
    const logits = batchLogits(new Transformer(transformerConfig({ ...size, ...options }, vocabulary)));
    return new Model(logits, ParameterSet.initialize(parametersOf([logits]), 1));
  }

  async run(source: number[][], target: number[][], names: readonly string[] = []): Promise<Record<string, Values>> {
    const seen = namedTensors([this.logitsTensor]);
    const outputs = Object.fromEntries(['logits', ...names].map((name) => [name, seen.get(name) ?? missing(name)]));
    const program = await compile(outputs, { weights: this.parameters.weights(), threads: 1 });
    const results = await program.run(
      new Map([
        ['source', arrayOf(source)],
        ['target', arrayOf(target)],
      ]),
    );
    await program.release();
    return results;
  }

  /** [row][position][id] */
  async logits(source: number[][], target: number[][]): Promise<number[][][]> {
    return rowsOf((await this.run(source, target)).logits);
  }

  /** Overwrites rows of every embedding matrix. */
  fillRows(rows: readonly number[], value: number): void {
    for (const { shape, data } of this.parameters.parameters) {
      if (shape[0] === V) for (const row of rows) data.fill(value, row * shape[1], (row + 1) * shape[1]);
    }
  }
}

function missing(name: string): never {
  throw new Error(`no result named ${name}`);
}

/** Words, none of which is padding on either side. */
function sentence(seed: number, length: number): number[] {
  const random = Random.of(seed, 'sentence');
  return Array.from({ length }, () => 8 + random.integer(V - 8));
}

function padded(rows: number[][], length: number, padId: number): number[][] {
  return rows.map((row) => [...row, ...Array<number>(length - row.length).fill(padId)]);
}

function arrayOf(rows: number[][]): Values {
  return { shape: [rows.length, rows[0].length], data: Int32Array.from(rows.flat()) };
}

function rowsOf({ shape: [rows, length, width], data }: Values): number[][][] {
  const at = (row: number, t: number) => [...data.subarray((row * length + t) * width, (row * length + t + 1) * width)];
  return Array.from({ length: rows }, (_, row) => Array.from({ length }, (__, t) => at(row, t)));
}

/** Relative to the largest entry. */
function expectClose(got: readonly number[], expected: readonly number[], tolerance: number): void {
  const largest = Math.max(...expected.map(Math.abs));
  const worst = Math.max(...expected.map((value, i) => Math.abs(value - got[i])));
  expect(worst / largest).toBeLessThan(tolerance);
}
