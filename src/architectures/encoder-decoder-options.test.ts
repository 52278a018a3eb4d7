import { describe, expect, it } from 'vitest';
import { isHeedError } from '../base/error.ts';
import { withoutDropout } from '../nn/index.ts';
import { transformerConfig, transformerOptions } from './index.ts';

const vocabulary = { sourceVocabularySize: 100 };
type Options = Parameters<typeof transformerConfig>[0];

describe('transformerConfig', () => {
  it('is the paper’s base model by default', () => {
    expect(transformerConfig({}, { sourceVocabularySize: 37_000 })).toEqual({
      kind: 'encoder-decoder',
      decoderMixer: 'attention',
      dModel: 512,
      heads: 8,
      dKey: 64,
      dValue: 64,
      dInner: 2048,
      encoderLayers: 6,
      decoderLayers: 6,
      norm: 'post',
      positions: 'interleaved',
      maxPositions: 1024,
      embeddings: 'tied',
      activation: 'relu',
      attentionBias: true,
      layerNormEpsilon: 1e-6,
      dropout: 0.1,
      attentionDropout: 0,
      activationDropout: 0,
      sourceVocabularySize: 37_000,
      targetVocabularySize: 37_000,
      sourcePadId: 0,
      targetPadId: 0,
    });
  });

  it('accepts widths of heads that do not depend on dModel (table 3, rows A and B)', () => {
    const { dKey, dValue } = transformerConfig({ dModel: 500, heads: 8, dKey: 16, dValue: 20 }, vocabulary);
    expect([dKey, dValue]).toEqual([16, 20]);
  });

  it('accepts a vocabulary and a padding token for each side', () => {
    const two = { sourceVocabularySize: 100, targetVocabularySize: 200, sourcePadId: 3, targetPadId: 7 };
    expect(transformerConfig({ embeddings: 'separate' }, two)).toMatchObject(two);
  });

  it.each<[string, Options, object]>([
    [
      'attention: dModel must be divisible by heads unless dKey and dValue are given, got 500 and 8.',
      { dModel: 500, heads: 8 },
      {},
    ],
    [
      'attention: dModel must be divisible by heads unless dKey and dValue are given, got 500 and 8.',
      { dModel: 500, heads: 8, dKey: 64 },
      {},
    ],
    ['positions: sinusoids need an even dModel, got 15.', { dModel: 15, heads: 3 }, {}],
    ['positions: sinusoids need an even dModel, got 15.', { dModel: 15, heads: 3, positions: 'concatenated' }, {}],
    ['positions: rotary positions need an even dKey, got 5.', { dModel: 15, heads: 3, positions: 'rotary' }, {}],
    [
      'embeddings: tied embeddings need one vocabulary for both sides, got 100 and 200.',
      {},
      { targetVocabularySize: 200 },
    ],
  ])('%s', (message, options, more) => {
    const error = errorOf(() => transformerConfig(options, { ...vocabulary, ...more }));
    expect(isHeedError(error)).toBe(true);
    expect(error).toHaveProperty('message', message);
  });

  it('accepts an odd dModel without sinusoids', () => {
    expect(transformerConfig({ dModel: 15, heads: 3, positions: 'none' }, vocabulary).dKey).toBe(5);
  });
});

describe('transformerOptions', () => {
  it.each<[string, Record<string, unknown>]>([
    ['an unknown option', { dmodel: 512 }],
    ['no layers', { encoderLayers: 0 }],
    ['half a head', { heads: 1.5 }],
    ['a rate of 1', { dropout: 1 }],
    ['a negative rate', { attentionDropout: -0.1 }],
    ['an unknown choice', { norm: 'both' }],
    ['an ε of 0', { layerNormEpsilon: 0 }],
    ['text for a number', { dInner: '2048' }],
  ])('refuse %s and name the option', (_, options) => {
    const [name] = Object.keys(options);
    const result = transformerOptions.safeParse(options);
    expect(result.success).toBe(false);
    expect(result.error?.message).toContain(name);
  });

  it('all have a description', () => {
    for (const [name, option] of Object.entries(transformerOptions.shape)) {
      expect(option.description, name).toMatch(/\.$/);
    }
  });
});

describe('withoutDropout', () => {
  it('sets all dropout rates to 0 and changes nothing else', () => {
    const config = transformerConfig({ dropout: 0.3, attentionDropout: 0.2, activationDropout: 0.1 }, vocabulary);
    expect(withoutDropout(config)).toEqual({ ...config, dropout: 0, attentionDropout: 0, activationDropout: 0 });
  });
});

function errorOf(build: () => unknown): unknown {
  try {
    build();
  } catch (error) {
    return error;
  }
  return undefined;
}
