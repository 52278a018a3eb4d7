import { describe, expect, it } from 'vitest';
import { leavesOf, value } from '../../test/leaves.ts';
import { constant, constantIds, evaluate, input, type Tensor, type Value } from '../tensor/index.ts';
import { transformerConfig } from './config.ts';
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
  const model = new Transformer(transformerConfig({ ...size, ...options }, vocabulary));
  const encoded = model.encode(ids(sources));
  const memory = model.memory(encoded);
  const whole = model.decode(ids(targets), encoded);

  it.each([1, 3, 4])('%i positions, then the rest beside what is cached of them, are the whole target', (split) => {
    const first = model.continue(columns(0, split), context(0, split));
    const second = model.continue(columns(split, 5), { ...context(split, 5), past: first.own });
    const outputs = [whole, first.logits, second.logits];
    const [expected, ...parts] = evaluate(outputs, leavesOf(outputs, {}));
    expectClose(parts[0], positionsOf(expected, 0, split));
    expectClose(parts[1], positionsOf(expected, split, 5));
  });

  it('a single new position needs no mask', () => {
    const first = model.continue(columns(0, 4), context(0, 4));
    const last = model.continue(columns(4, 5), { ...context(4, 5), targetMask: undefined, past: first.own });
    const outputs = [whole, last.logits];
    const [expected, part] = evaluate(outputs, leavesOf(outputs, {}));
    expectClose(part, positionsOf(expected, 4, 5));
  });

  /** Positions start … end − 1 of the target, each of which sees those up to itself. */
  function context(start: number, end: number) {
    const places = Array.from({ length: end - start }, (_, i) => start + i);
    const mask = places.flatMap((query) => Array.from({ length: end }, (_, key) => (key <= query ? 1 : 0)));
    return {
      positions: constantIds([end - start], places),
      targetMask: constant([1, 1, end - start, end], mask),
      sourceMask: encoded.mask,
      memory,
    };
  }
});

describe('hypotheses of one sentence', () => {
  it('share its source without mixing', () => {
    const model = new Transformer(transformerConfig(size, vocabulary));
    const source = input('source', 'int32', ['sentences', 'source']);
    const encoded = model.encode(source);
    const logitsOf = (rows: string) =>
      model.continue(input('tokens', 'int32', [rows, 1]), {
        positions: constantIds([1], [0]),
        targetMask: undefined,
        sourceMask: encoded.mask,
        memory: model.memory(encoded),
      }).logits;
    const evaluated = (rows: string, tokens: number[]) => {
      const logits = logitsOf(rows);
      const inputs = { source: value(sources), tokens: value(tokens.map((token) => [token])) };
      return evaluate([logits], leavesOf([logits], inputs))[0].data;
    };
    const together = evaluated('2*sentences', [7, 8, 5, 9]);
    const first = evaluated('sentences', [7, 5]);
    const second = evaluated('sentences', [8, 9]);
    const expected = [first.subarray(0, 11), second.subarray(0, 11), first.subarray(11), second.subarray(11)];
    expectClose(
      { data: together },
      expected.flatMap((row) => [...row]),
    );
  });
});

function ids(rows: readonly (readonly number[])[]): Tensor {
  return constantIds([rows.length, rows[0].length], rows.flat());
}

function columns(start: number, end: number): Tensor {
  return ids(targets.map((row) => row.slice(start, end)));
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
