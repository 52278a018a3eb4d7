// Extensions through the public API only: a position scheme, a mixer, a feed-forward network and an architecture. Models with
// them are trained on, saved, loaded, decoded and scored like any other. (A task from outside: custom-task.test.ts.)

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type ArchitectureConfig,
  architectures,
  compile,
  learnTokenizer,
  loadModel,
  nn,
  runtime,
  type StoredModel,
  saveModel,
  Translator,
  tensor,
  transformerConfig,
} from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'heed-extensions-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tokenizer = learnTokenizer(['a b c d e f g h'], { merges: 0, minimumCharacterFrequency: 1 });
const sources = ['a b c', 'h', 'c a d a b f e', 'b b'];

/** −|query − key| / 2, and the same for all heads. */
const distance: nn.PositionScheme = {
  create: () => ({
    bias(queryAt, keyAt) {
      const [query, key] = [queryAt, keyAt].map(tensor.toFloat);
      const distances = tensor.subtract(tensor.unsqueeze(query, 1), tensor.unsqueeze(key, 0)); // [T, S]
      return tensor.scale(tensor.multiply(distances, tensor.scale(distances, -1)), 0.5);
    },
  }),
};

/** The mean of all positions so far, linearly mapped. It keeps their sum. */
class RunningMean implements nn.Mixer {
  readonly states: readonly nn.StateSpec[];
  private readonly map: nn.Linear;

  constructor(
    private readonly scope: nn.Scope,
    { dModel }: nn.LayerConfig,
  ) {
    this.map = new nn.Linear(scope.child('map'), { from: dModel, to: dModel });
    this.states = [{ name: scope.nameOf('sum'), kind: 'replace', shape: [dModel] }];
  }

  mix(x: tensor.Tensor, { at, before }: nn.MixContext) {
    const name = this.scope.nameOf('sum');
    const count = tensor.unsqueeze(tensor.toFloat(tensor.add(at, tensor.constantIds([1], [1]))), 1); // [T, 1]
    const sum =
      before === undefined
        ? tensor.matmul(nn.causalMask(x), x) // [T, T] × [B, T, D]
        : tensor.add(before[name], x);
    return { output: this.map.apply(tensor.divide(sum, count)), after: { [name]: sum } };
  }
}

/** A next word from the last one and the mean of the source's words. */
interface BagConfig extends ArchitectureConfig {
  readonly kind: 'bag';
  readonly width: number;
  readonly size: number;
}

const bagOptions = z.strictObject({ width: z.int().default(8), size: z.int() });

class Bag implements architectures.SequenceModel {
  private readonly source: nn.Embedding;
  private readonly target: nn.Embedding;
  readonly states: readonly nn.StateSpec[];
  readonly maxPositions = Number.POSITIVE_INFINITY;
  readonly crossAttentionLayers = 0;
  readonly width: number;

  constructor(readonly config: BagConfig) {
    const scope = new nn.Scope();
    this.width = config.width;
    this.source = new nn.Embedding(scope.child('source'), config.size, config.width);
    this.target = new nn.Embedding(scope.child('target'), config.size, config.width);
    this.states = [{ name: 'bag', kind: 'fixed', shape: [1, config.width] }];
  }

  get vocabulary() {
    const facts = { size: this.config.size, padId: 0 };
    return { source: facts, target: facts, isShared: true };
  }

  encode(source: tensor.Tensor): nn.States {
    const real = tensor.unsqueeze(tensor.notEqual(source, 0), -1); // [B, S, 1]
    const words = tensor.multiply(this.source.lookUp(source, new nn.Scope('encoder')), real);
    const count = tensor.sum(real, { axes: [1], keep: true });
    return { bag: tensor.divide(tensor.sum(words, { axes: [1], keep: true }), count) }; // [B, 1, D]
  }

  logits(target: tensor.Tensor, { bag }: nn.States): tensor.Tensor {
    return this.target.project(tensor.add(this.target.lookUp(target, new nn.Scope('decoder')), bag));
  }

  step(tokens: tensor.Tensor, { states }: architectures.StepContext) {
    return { logits: this.logits(tokens, states), states: {} };
  }
}

beforeAll(() => {
  nn.positionSchemes.register('distance', distance);
  nn.mixers.register('running-mean', { part: 'mean', create: (scope, config) => new RunningMean(scope, config) });
  nn.feedForwards.register('linear', (scope, { dModel }) => new nn.Linear(scope, { from: dModel, to: dModel }));
  architectures.registerArchitecture<BagConfig>({
    kind: 'bag',
    options: bagOptions,
    upgrade: (stored) => stored,
    complete: (options) => ({ kind: 'bag', ...bagOptions.parse(options) }),
    withoutDropout: (config) => config,
    build: (config) => new Bag(config),
  });
});

function modelOf(config: ArchitectureConfig): StoredModel {
  const logits = architectures.batchLogits(architectures.buildModel(config));
  return {
    config,
    parameters: runtime.ParameterSet.initialize(runtime.parametersOf([logits]), 3),
    sourceTokenizer: tokenizer,
    targetTokenizer: tokenizer,
    generation: {},
    training: {},
    directions: [],
  };
}

const size = { dModel: 8, heads: 2, dInner: 8, encoderLayers: 1, decoderLayers: 2 };
const vocabulary = { sourceVocabularySize: tokenizer.size };

describe.each<[string, () => ArchitectureConfig]>([
  ['a position scheme', () => transformerConfig({ ...size, positions: 'distance' }, vocabulary)],
  ['a mixer', () => transformerConfig({ ...size, decoderMixer: 'running-mean' }, vocabulary)],
  ['a feed-forward network', () => transformerConfig({ ...size, activation: 'linear' }, vocabulary)],
  ['an architecture', () => ({ kind: 'bag', width: 8, size: tokenizer.size }) as ArchitectureConfig],
])('%s from outside', (title, configOf) => {
  it('is saved and loaded, and decodes consistently with the full pass, alone and in batches', async () => {
    const path = join(folder, title.replaceAll(' ', '-'));
    await saveModel(path, modelOf(configOf()));
    const loaded = await loadModel(path);
    expect(loaded.config).toEqual(configOf());
    const translator = new Translator(loaded, { compile, threads: 1 });
    for (const beam of [1, 3]) {
      const together = await translator.translateAll(sources, { beam, maxLength: 12 });
      for (const [i, source] of sources.entries()) {
        const [alone] = await translator.translateAll([source], { beam, maxLength: 12 });
        expect(alone).toEqual(together[i]);
        const [{ tokens, logProbabilities, reason }] = alone.translations;
        const [score] = await translator.score([{ source, target: tokens }]);
        const expected = reason === 'end' ? score.logProbabilities : score.logProbabilities.slice(0, -1);
        expect(logProbabilities).toHaveLength(expected.length);
        for (const [k, value] of logProbabilities.entries()) expect(value).toBeCloseTo(expected[k], 5);
      }
    }
    await translator.release();
  });
});

it('an architecture without cross-attention translates without attention', async () => {
  const model = modelOf({ kind: 'bag', width: 8, size: tokenizer.size } as ArchitectureConfig);
  const translator = new Translator(model, { compile, threads: 1 });
  await expect(translator.translate('a b', { attention: true })).rejects.toThrow(
    'translate: attention and the coverage penalty need a model with cross-attention, got bag; leave them out.',
  );
  expect(() => new Translator(model, { compile, attentionLayer: 0 })).toThrow(
    'translate: attentionLayer must be left out for a model without cross-attention, got 0.',
  );
  await translator.release();
});

it('names unregistered extensions', async () => {
  expect(() => transformerConfig({ ...size, positions: 'distanse' }, vocabulary)).toThrow('did you mean distance?');
  expect(() => architectures.buildModel({ kind: 'bagg' })).toThrow(
    'architecture: unknown name bagg; did you mean bag?',
  );
});
