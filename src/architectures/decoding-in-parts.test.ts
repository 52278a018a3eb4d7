// Decoding step by step from stored states gives the logits of the full pass, for each architecture and option.

import { describe, expect, it } from 'vitest';
import { leavesOf } from '../../test/leaves.ts';
import { identityMask, type StateSpec, type States } from '../nn/index.ts';
import { concatenate, constant, constantIds, evaluate, type Tensor, type Value } from '../tensor/index.ts';
import { type ArchitectureConfig, architectures, buildModel, type SequenceModel, transformerConfig } from './index.ts';

const sources = [
  [3, 4, 5, 2],
  [6, 2, 0, 0],
];
const targets = [
  [1, 7, 8, 9, 3],
  [1, 5, 5, 4, 6],
];
const layer = { dModel: 8, heads: 2, dInner: 12 };
const size = { ...layer, encoderLayers: 1, decoderLayers: 2 };
const vocabulary = { sourceVocabularySize: 11, targetVocabularySize: 11 };

const transformers = [
  {},
  { norm: 'pre' },
  { positions: 'concatenated' },
  { positions: 'learned', maxPositions: 6 },
  { positions: 'rotary', activation: 'swiglu' },
  { positions: 'none', embeddings: 'separate' },
  { decoderMixer: 'gru' },
] as const;
const languageModels = [
  { norm: 'pre', activation: 'gelu', positions: 'learned', maxPositions: 6 },
  { tieEmbeddings: false },
  { positions: 'rotary' },
  { mixer: 'gru', norm: 'pre' },
];
const configs: [string, ArchitectureConfig][] = [
  ...transformers.map((options): [string, ArchitectureConfig] => [
    `encoder-decoder with ${JSON.stringify(options)}`,
    transformerConfig({ ...size, ...options }, vocabulary),
  ]),
  ...languageModels.map((options): [string, ArchitectureConfig] => [
    `decoder-only with ${JSON.stringify(options)}`,
    architectures.get('decoder-only').complete({ ...layer, layers: 2, vocabularySize: 11, ...options }),
  ]),
];

describe.each(configs)('%s', (_, config) => {
  const model = buildModel(config);
  const encoded = model.encode?.(ids(sources)) ?? {};
  const whole = model.logits(ids(targets), encoded);

  it('gives the same logits step by step as in the full pass', () => {
    let states = { ...encoded, ...before(model, { sentences: 2, width: 1 }) };
    const steps = targets[0].map((_, position) => {
      const { logits, states: after } = model.step(column(position), {
        at: constantIds([1], [position]),
        keysAt: constantIds([position + 1], [...Array(position + 1).keys()]),
        states,
      });
      states = { ...states, ...updated(model, states, after) };
      return logits;
    });
    const outputs = [whole, ...steps];
    const [expected, ...parts] = evaluate(outputs, leavesOf(outputs, {}));
    for (const [position, part] of parts.entries()) expectClose(part, positionsOf(expected, position, position + 1));
  });
});

describe('hypotheses of one sentence', () => {
  it('in one step see only themselves and their own history', () => {
    const model = buildModel(transformerConfig(size, vocabulary));
    const encoded = model.encode?.(ids(sources)) ?? {};
    const start = { ...encoded, ...before(model, { sentences: 2, width: 2 }) };
    const first = model.step(
      ids([
        [1, 1],
        [1, 1],
      ]),
      { at: constantIds([1], [0]), keysAt: constantIds([2], [0, 0]), mask: identityMask(2), states: start },
    );
    const second = model.step(
      ids([
        [3, 4],
        [5, 6],
      ]),
      {
        at: constantIds([1], [1]),
        keysAt: constantIds([4], [0, 0, 1, 1]),
        // The hypotheses of the first sentence changed places; both of the second continue its second one.
        mask: constant([2, 1, 2, 4], [0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1]),
        states: { ...start, ...updated(model, start, first.states) },
      },
    );
    const alone = [
      [1, 3],
      [1, 4],
      [1, 5],
      [1, 6],
    ].map((target, i) => model.logits(ids([target]), model.encode?.(ids([sources[i < 2 ? 0 : 1]])) ?? {}));
    const outputs = [second.logits, ...alone];
    const [together, ...expected] = evaluate(outputs, leavesOf(outputs, {}));
    expectClose(
      together,
      expected.flatMap((logits) => positionsOf(logits, 1, 2)),
    );
  });
});

/** The states before the first step. */
function before(model: SequenceModel, { sentences, width }: { sentences: number; width: number }): States {
  const kept = model.states.filter(({ kind }) => kind !== 'fixed');
  const shapeOf = ({ kind, shape }: StateSpec) => [
    sentences,
    ...(kind === 'replace' ? [width] : []),
    ...shape.map((dim) => (dim === 'length' ? 0 : Number(dim))),
  ];
  return Object.fromEntries(kept.map((spec) => [spec.name, zeros(shapeOf(spec))]));
}

function zeros(shape: readonly number[]): Tensor {
  return constant(shape, new Float32Array(shape.reduce((product, dim) => product * dim)));
}

/** The states after a step: those of kind `append` are concatenated, those of kind `replace` are replaced. */
function updated(model: SequenceModel, states: States, after: States): States {
  const kept = model.states.filter(({ kind }) => kind !== 'fixed');
  return Object.fromEntries(
    kept.map(({ name, kind, shape }) => {
      const isGrowing = kind === 'append';
      return [name, isGrowing ? concatenate([states[name], after[name]], shape.indexOf('length') + 1) : after[name]];
    }),
  );
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
