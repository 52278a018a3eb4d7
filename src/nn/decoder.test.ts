import { describe, expect, it } from 'vitest';
import { leavesOf } from '../../test/leaves.ts';
import { constant, constantIds, evaluate, type Tensor, type Value } from '../tensor/index.ts';
import { joined, type KeysAndValues } from './attention.ts';
import { type TransformerConfig, transformerConfig } from './config.ts';
import { ownMask } from './mask.ts';
import { Transformer } from './transformer.ts';

const sources = [
  [3, 4, 5, 2],
  [6, 2, 0, 0],
];
const targets = [
  [1, 7, 8, 9, 3],
  [1, 5, 5, 4, 6],
];
const size = { dModel: 8, heads: 2, dInner: 12, encoderLayers: 1, decoderLayers: 2, dropout: 0 };
const vocabulary = { sourceVocabularySize: 11, targetVocabularySize: 11 };

describe.each([
  {},
  { norm: 'pre' },
  { positions: 'concatenated' },
  { positions: 'learned', maxPositions: 6 },
  { positions: 'rotary', activation: 'swiglu' },
  { positions: 'none', embeddings: 'separate' },
] as const)('decoding in parts, with %j', (options) => {
  const config = transformerConfig({ ...size, ...options }, vocabulary);
  const model = new Transformer(config);
  const encoded = model.encode(ids(sources));
  const memory = model.memory(encoded);
  const whole = model.decode(ids(targets), encoded);

  it('one position after the other, beside what is cached of those before, is the whole target', () => {
    const past = model.memory(encoded).map(() => nothing(config));
    const steps = targets[0].map((_, position) => {
      const { logits, own } = model.continue(column(position), {
        positions: constantIds([1], [position]),
        sourceMask: encoded.mask,
        memory,
        past: [...past],
      });
      for (const [layer, keysAndValues] of own.entries()) past[layer] = joined(past[layer], keysAndValues);
      return logits;
    });
    const outputs = [whole, ...steps];
    const [expected, ...parts] = evaluate(outputs, leavesOf(outputs, {}));
    for (const [position, part] of parts.entries()) expectClose(part, positionsOf(expected, position, position + 1));
  });
});

describe('hypotheses of one sentence', () => {
  it('stand side by side, each seeing itself and its own history only', () => {
    const config = transformerConfig(size, vocabulary);
    const model = new Transformer(config);
    const encoded = model.encode(ids(sources));
    const memory = model.memory(encoded);
    const first = model.continue(
      ids([
        [1, 1],
        [1, 1],
      ]),
      {
        positions: constantIds([1], [0]),
        sourceMask: encoded.mask,
        memory,
        targetMask: ownMask(2),
        past: memory.map(() => nothing(config)),
      },
    );
    const second = model.continue(
      ids([
        [3, 4],
        [5, 6],
      ]),
      {
        positions: constantIds([1], [1]),
        sourceMask: encoded.mask,
        memory,
        // The hypotheses of the first sentence changed places; both of the second continue its second one.
        targetMask: constant([2, 1, 2, 4], [0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1]),
        past: first.own,
      },
    );
    const alone = [
      [1, 3],
      [1, 4],
      [1, 5],
      [1, 6],
    ].map((target, i) => {
      const source = model.encode(ids([sources[i < 2 ? 0 : 1]]));
      return model.decode(ids([target]), source);
    });
    const outputs = [second.logits, ...alone];
    const [together, ...expected] = evaluate(outputs, leavesOf(outputs, {}));
    expectClose(
      together,
      expected.flatMap((logits) => positionsOf(logits, 1, 2)),
    );
  });
});

function nothing({ heads, dKey, dValue }: TransformerConfig): KeysAndValues {
  return { keys: constant([2, heads, 0, dKey], []), values: constant([2, heads, 0, dValue], []) };
}

function ids(rows: readonly (readonly number[])[]): Tensor {
  return constantIds([rows.length, rows[0].length], rows.flat());
}

function column(position: number): Tensor {
  return ids(targets.map((row) => [row[position]]));
}

/** Logits [B, T, V] at positions start … end − 1 of each row. */
function positionsOf({ shape: [rows, length, width], data }: Value, start: number, end: number): number[] {
  return Array.from({ length: rows }, (_, row) => [
    ...data.subarray((row * length + start) * width, (row * length + end) * width),
  ]).flat();
}

function expectClose({ data }: Pick<Value, 'data'>, expected: readonly number[]): void {
  expect(data).toHaveLength(expected.length);
  data.forEach((entry, i) => {
    expect(entry).toBeCloseTo(expected[i], 9);
  });
}
