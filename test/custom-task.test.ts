// A task added from outside, through the public API alone: it makes its own text, and is trained like any other.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  buildModel,
  data,
  learnTokenizer,
  registerTask,
  type Task,
  Translator,
  tasks,
  train,
  training,
  transformerConfig,
} from '../src/index.ts';

const recipe = z.strictObject({
  ...training.trainingOptions.shape,
  letters: z.string().default('abcd').describe('What words are made of.'),
  count: z.int().default(60).describe('Pairs of a word and its reversal.'),
  dModel: z.int().default(8).describe('Width of the model.'),
});

type ReverseRecipe = z.output<typeof recipe>;

function parts({ letters, count, dModel, maxTokens, seed, labelSmoothing }: ReverseRecipe) {
  const pairs = data.reverseTask({ count, seed: 1, words: [...letters] });
  const tokenizer = learnTokenizer([...letters].join(' ').split(' '), { merges: 0 });
  const encoded = new data.EncodedPairs();
  for (const { source, target } of pairs)
    encoded.append({ source: tokenizer.encode(source), target: tokenizer.encode(target) });
  const layers = { heads: 2, dInner: 8, encoderLayers: 1, decoderLayers: 1 };
  const config = transformerConfig({ dModel, ...layers }, { sourceVocabularySize: tokenizer.size });
  const ids = { source: tokenizer, target: tokenizer };
  return {
    config,
    tokenizers: ids,
    graph: tasks.modelGraph(buildModel(config, { dropout: true }), labelSmoothing),
    width: dModel,
    batches: new tasks.PairBatches({ pairs: encoded, ids, maxTokens, seed }),
  };
}

const reversal: Task<ReverseRecipe> = {
  name: 'reversal',
  description: 'Words backwards.',
  recipe,
  presets: { short: { steps: 4 } },
  paths: [],
  prepare: (setup) => {
    const { config, tokenizers, ...learned } = parts(setup.recipe);
    const { count } = setup.recipe;
    return tasks.prepareRun(reversal, setup, {
      hasValidation: false,
      hashes: async () => [],
      tokenizers: async () => tokenizers,
      parts: async ({ tokenizers: { source, target } }) => ({
        ...learned,
        model: {
          config,
          sourceTokenizer: source,
          targetTokenizer: target,
          generation: {},
          training: {},
          directions: [],
        },
        data: [{ unit: 'words', read: count, used: count, notes: [] }],
        vocabularySizes: [source.size],
      }),
    });
  },
  estimate: async (chosen) => {
    const { graph, width, batches } = parts(chosen);
    const options = tasks.pickOptions(training.trainingOptions, chosen);
    return tasks.estimateRun({ data: { words: chosen.count }, graph, width, batches, options, hasValidation: false });
  },
};

const parent = mkdtempSync(join(tmpdir(), 'heed-task-'));
afterAll(() => rmSync(parent, { recursive: true }));

describe('a custom task', () => {
  registerTask(reversal);

  it('trains by its name, with its presets and its options', async () => {
    const model = join(parent, 'model');
    const request = { task: 'reversal', model, preset: 'short', letters: 'xyz', threads: 1, averageLast: 1 };
    expect(await train(request)).toEqual({ outcome: 'finished', model, validation: undefined });
    const run = JSON.parse(readFileSync(join(model, 'training/run.json'), 'utf8'));
    expect(run).toMatchObject({ task: 'reversal', recipe: { letters: 'xyz', steps: 4, count: 60 } });
    expect(await train({ model, resume: true })).toMatchObject({ outcome: 'already finished' });
    const translator = await Translator.load(model, { threads: 1 });
    expect(typeof (await translator.translate('x y', { maxLength: 3 }))).toBe('string');
  });

  it('refuses options that its recipe does not have', async () => {
    const request = { task: 'reversal', model: join(parent, 'other'), leters: 'xyz' };
    await expect(train(request)).rejects.toThrow('train: unknown option leters; did you mean letters?');
  });

  it('estimates the cost of a run', async () => {
    const { parameters, memory, updates } = await reversal.estimate(recipe.parse({ steps: 4, threads: 1 }));
    expect(memory.weights).toBe(4 * parameters);
    expect(memory.activations).toBeGreaterThan(0);
    expect(updates).toBe(4);
  });
});
