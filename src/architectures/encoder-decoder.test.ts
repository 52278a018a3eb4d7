import { describe, expect, it } from 'vitest';
import { type KeepMaskAttributes, namedTensors, type ParameterAttributes, topologicalOrder } from '../tensor/index.ts';
import { batchLogits, Transformer, transformerConfig } from './index.ts';

type Options = Parameters<typeof transformerConfig>[0];

/** The paper's shared vocabulary of English and German. */
const V = 37_000;
const small = { dModel: 8, heads: 2, dInner: 12, encoderLayers: 2, decoderLayers: 2 } as const;

/** The nodes of a model's graph; nothing is computed. */
function nodesOf(options: Options, vocabulary = { sourceVocabularySize: V, targetVocabularySize: V }) {
  return topologicalOrder([batchLogits(new Transformer(transformerConfig(options, vocabulary)))]);
}

function parametersOf(options: Options): ParameterAttributes[] {
  return nodesOf(options)
    .filter(({ operator }) => operator.name === 'parameter')
    .map(({ attributes }) => attributes as ParameterAttributes);
}

function countOf(options: Options): number {
  return parametersOf(options).reduce((total, { shape }) => total + shape.reduce((size, dim) => size * dim, 1), 0);
}

function keepMasksOf(options: Options): KeepMaskAttributes[] {
  return nodesOf(options)
    .filter(({ operator }) => operator.name === 'keepMask')
    .map(({ attributes }) => attributes as KeepMaskAttributes);
}

describe('number of parameters', () => {
  const big = { dModel: 1024, heads: 16, dInner: 4096 };

  it.each<[string, Options, number]>([
    ['base', {}, 63_082_496],
    ['base without attention biases', { attentionBias: false }, 63_045_632],
    ['big', big, 214_245_376],
    ['big without attention biases', { ...big, attentionBias: false }, 214_171_648],
    ['base with learned positions', { positions: 'learned' }, 63_082_496 + 2 * 1024 * 512],
    ['base with a matrix for each vocabulary', { embeddings: 'target' }, 63_082_496 + V * 512],
    ['base with three matrices', { embeddings: 'separate' }, 63_082_496 + 2 * V * 512],
    ['base with pre-norm, which ends in a norm', { norm: 'pre' }, 63_082_496 + 2 * 2 * 512],
  ])('%s', (_, options, expected) => {
    expect(countOf(options)).toBe(expected);
  });

  it('changes as table 3 says from base to d_k = 16 and to N = 8', () => {
    const base = { attentionBias: false };
    expect(countOf({ ...base, dKey: 16 }) - countOf(base)).toBe(-7_077_888);
    expect(countOf({ ...base, encoderLayers: 8, decoderLayers: 8 }) - countOf(base)).toBe(14_700_544);
  });

  it('depends on the product of heads and their width only (table 3, row A)', () => {
    const base = countOf({ attentionBias: false });
    for (const heads of [1, 4, 16, 32]) expect(countOf({ attentionBias: false, heads })).toBe(base);
  });
});

describe('names', () => {
  it('of parameters are unique paths', () => {
    const names = parametersOf(small).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        'embedding.weight',
        'encoder.layers.0.selfAttention.query.weight',
        'encoder.layers.1.feedForward.inner.bias',
        'decoder.layers.0.crossAttention.output.bias',
        'decoder.layers.1.feedForwardNorm.weight',
      ]),
    );
  });

  it.each([
    ['tied', ['embedding']],
    ['target', ['sourceEmbedding', 'targetEmbedding']],
    ['separate', ['output', 'sourceEmbedding', 'targetEmbedding']],
  ] as const)('of matrices with %s embeddings', (embeddings, expected) => {
    const matrices = parametersOf({ ...small, embeddings }).filter(({ shape }) => shape[0] === V);
    expect(matrices.map(({ name }) => name).toSorted()).toEqual(expected.map((name) => `${name}.weight`));
  });

  it('of results are those that a trace shows', () => {
    const config = transformerConfig({ ...small, norm: 'pre' }, { sourceVocabularySize: 20 });
    const logits = batchLogits(new Transformer(config));
    const shapes = Object.fromEntries([...namedTensors([logits])].map(([name, { shape }]) => [name, shape]));
    const [wide, inner] = [(length: string) => ['batch', length, 8], (length: string) => ['batch', length, 12]];
    const perHead = (length: string, width: string | number) => ['batch', 2, length, width];
    const under = (place: string, results: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(results).map(([name, shape]) => [`${place}.${name}`, shape]));
    const ofInput = (length: string) => ({
      embedding: wide(length),
      scaledEmbedding: wide(length),
      'positions.encoding': [length, 8],
      input: wide(length),
      output: wide(length),
    });
    const ofSublayer = (length: string) => ({
      input: wide(length),
      output: wide(length),
      sum: wide(length),
      result: wide(length),
    });
    const ofAttention = (queries: string, keys: string) => ({
      ...ofSublayer(queries),
      queries: perHead(queries, 4),
      keys: perHead(keys, 4),
      values: perHead(keys, 4),
      scores: perHead(queries, keys),
      maskedScores: perHead(queries, keys),
      weights: perHead(queries, keys),
      heads: perHead(queries, 4),
    });
    const ofFeedForward = (length: string) => ({ ...ofSublayer(length), inner: inner(length), active: inner(length) });
    const ofEncoder = (i: number) => ({
      ...under(`encoder.layers.${i}.selfAttention`, ofAttention('source', 'source')),
      ...under(`encoder.layers.${i}.feedForward`, ofFeedForward('source')),
    });
    const ofDecoder = (i: number) => ({
      ...under(`decoder.layers.${i}.selfAttention`, ofAttention('target', 'target')),
      ...under(`decoder.layers.${i}.crossAttention`, ofAttention('target', 'source')),
      ...under(`decoder.layers.${i}.feedForward`, ofFeedForward('target')),
    });
    expect(shapes).toEqual({
      ...under('encoder', ofInput('source')),
      ...ofEncoder(0),
      ...ofEncoder(1),
      ...under('decoder', ofInput('target')),
      ...ofDecoder(0),
      ...ofDecoder(1),
      logits: ['batch', 'target', 20],
    });
  });

  it('of results exist with post-norm, too', () => {
    const names = nodesOf(small).flatMap(({ names }) => names);
    expect(names).toEqual(
      expect.arrayContaining([
        'encoder.layers.0.selfAttention.weights',
        'encoder.layers.1.selfAttention.result',
        'encoder.layers.1.feedForward.result',
        'encoder.output',
        'decoder.layers.1.crossAttention.weights',
        'decoder.layers.1.crossAttention.result',
        'decoder.layers.0.feedForward.result',
        'decoder.layers.1.feedForward.result',
        'decoder.output',
        'logits',
      ]),
    );
  });
});

describe('dropout', () => {
  it('is in exactly two places: embedding sums and sub-layer outputs', () => {
    const masks = keepMasksOf(small);
    expect(masks).toHaveLength(2 + 2 * 2 + 3 * 2);
    expect(masks.every(({ rate, shape }) => rate === 0.1 && shape.length === 3 && shape[2] === 8)).toBe(true);
  });

  it('can be added to attention weights and inside the feed-forward networks', () => {
    const masks = keepMasksOf({ ...small, dropout: 0, attentionDropout: 0.2, activationDropout: 0.3 });
    expect(masks.filter(({ rate }) => rate === 0.2).map(({ shape }) => shape.length)).toEqual(Array(6).fill(4));
    expect(masks.filter(({ rate }) => rate === 0.3).map(({ shape }) => shape[2])).toEqual(Array(4).fill(12));
    expect(masks).toHaveLength(10);
  });

  it('is absent at rate 0', () => {
    expect(keepMasksOf({ ...small, dropout: 0 })).toEqual([]);
  });
});
