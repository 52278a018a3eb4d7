// A run small enough to be stopped at each of its steps: a model of a few thousand weights learns to copy letters.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { buildModel, transformerConfig } from '../src/architectures/index.ts';
import { copyTask, EncodedPairs } from '../src/data/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import { modelGraph, PairBatches, type PairBatchesSetup, ValidationPairs } from '../src/tasks/index.ts';
import { learnTokenizer } from '../src/text/index.ts';
import { FolderStore, Trainer, type TrainerSetup, trainingOptions } from '../src/train/index.ts';

const task = { words: [...'abcdefghij'], maxLength: 6 };
const pairs = copyTask({ count: 120, seed: 1, ...task });
export const tokenizer = learnTokenizer(
  pairs.map(({ source }) => source),
  { merges: 0 },
);

function encodedToy(count: number, seed: number): EncodedPairs {
  const encoded = new EncodedPairs();
  for (const { source, target } of copyTask({ count, seed, ...task }))
    encoded.append({ source: tokenizer.encode(source), target: tokenizer.encode(target) });
  return encoded;
}

/** Options whose every part moves within a few steps: accumulation, validation, averaging, logging, saving. */
const toyOptions = {
  epochs: 2,
  maxTokens: 150,
  accumulate: 2,
  averageLast: 2,
  validateEvery: 4,
  logEvery: 3,
  saveEvery: 5,
  schedule: 'inverse-sqrt' as const,
  peakRate: 0.01,
  warmupSteps: 4,
  threads: 1,
};

const architecture = { dModel: 8, heads: 2, dInner: 8, encoderLayers: 1, decoderLayers: 1 };

function configOf(changes: Partial<typeof architecture>) {
  return transformerConfig({ ...architecture, ...changes }, { sourceVocabularySize: tokenizer.size });
}

export function toyStore(folder: string, run = 'toy'): FolderStore {
  const tokenizers = { sourceTokenizer: tokenizer, targetTokenizer: tokenizer };
  return new FolderStore(
    folder,
    { config: configOf({}), ...tokenizers, generation: {}, training: {}, directions: [] },
    run,
  );
}

export function toyTrainer(
  folder: string,
  options: z.input<typeof trainingOptions> = {},
  { augment, corpora, ...setup }: Partial<TrainerSetup & Pick<PairBatchesSetup, 'augment' | 'corpora'>> = {},
  changes: Partial<typeof architecture> = {},
): Promise<Trainer> {
  const config = configOf(changes);
  const training = trainingOptions.parse({ ...toyOptions, ...options });
  const { labelSmoothing, maxTokens, seed } = training;
  const ids = { source: tokenizer, target: tokenizer };
  return Trainer.create({
    compile,
    graph: modelGraph(buildModel(config, { dropout: true }), labelSmoothing),
    width: config.dModel,
    options: training,
    batches: new PairBatches({ pairs: encodedToy(120, 1), augment, corpora, ids, maxTokens, seed }),
    validation: {
      graph: modelGraph(buildModel(config), labelSmoothing),
      batches: new ValidationPairs({ pairs: encodedToy(20, 2), ids, maxTokens }),
    },
    store: toyStore(folder),
    ...setup,
  });
}

/** Every file of a folder by its path, with its bytes as text that can be compared. */
export function contents(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return new Map(files.map((path) => [path, readFileSync(join(folder, path), 'base64')]));
}

/** Names of the files that are not the same in two folders; how fast a run was is no part of what it repeats. */
export function differences(a: string, b: string): string[] {
  const [left, right] = [contents(a), contents(b)];
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names].filter((name) => name !== 'training/speed.jsonl' && left.get(name) !== right.get(name));
}
