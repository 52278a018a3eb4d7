// Inputs of bench/decode.mjs: trained or random models, and batches of sentences for them.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { batchLogits, buildModel, transformerConfig } from '../dist/architectures/index.js';
import { Random } from '../dist/base/random.js';
import { encodeSafetensors } from '../dist/model/index.js';
import { loadModel } from '../dist/model/node.js';
import { ParameterSet, parametersOf } from '../dist/runtime/index.js';

const VOCABULARY_SIZE = 10_000;
const [PAD_ID, START_ID, END_ID] = [0, 1, 2];
const WORDS = ['a', 'man', 'and', 'two', 'children', 'in', 'red', 'hats', 'walk', 'down', 'the', 'street'];

/** Outside the repository: the test set of Multi30k, a tokenised sentence a line. */
const sentenceFile = new URL('../../shared/data/multi30k-tok/test_2016_flickr.en', import.meta.url);

/**
 * @typedef {{ sources: Int32Array[], maxLength: number }} Batch  of ids with END; the most positions of an output
 * @typedef {object} BenchModel
 * @property {string} name
 * @property {string} folder  what the peer reads
 * @property {object} config
 * @property {ParameterSet} parameters
 * @property {number} startId
 * @property {number} endId
 * @property {Int32Array[]} sources
 * @property {(longestSource: number) => number} maxLength
 * @property {() => Promise<void>} release
 */

/** Sentences of the test set; without the file, as many words at random, 12 a sentence on average. */
export async function testSentences() {
  try {
    const text = await readFile(sentenceFile, 'utf8');
    return { origin: 'Multi30k test_2016_flickr', lines: text.trimEnd().split('\n') };
  } catch {
    const random = Random.of(1, 'sentences');
    const lines = Array.from({ length: 1000 }, () => {
      const length = Math.max(4, Math.round(12 + 4 * random.normal()));
      return Array.from({ length }, () => WORDS[random.integer(WORDS.length)]).join(' ');
    });
    return { origin: 'random sentences of similar lengths (Multi30k is not available)', lines };
  }
}

/** @returns {Promise<BenchModel>} a trained model: outputs end where it ends them */
export async function trainedModel(folder, lines) {
  const { config, parameters, sourceTokenizer, targetTokenizer } = await loadModel(folder);
  return {
    name: 'trained',
    folder,
    origin: { folder },
    config,
    parameters,
    startId: targetTokenizer.startId,
    endId: targetTokenizer.endId,
    sources: lines.map((line) => Int32Array.of(...sourceTokenizer.encode(line), sourceTokenizer.endId)),
    maxLength: (longestSource) => longestSource + 50,
    release: async () => {},
  };
}

/**
 * Random weights never end an output. The rows of END, START and padding in the tied embedding are zero, so that their
 * logits are 0, far below the best of 10,000 random ones: no output ends, and each is cut at its batch's source length.
 * @returns {Promise<BenchModel>} of random weights
 */
export async function randomModel(name, options, lines) {
  const config = transformerConfig(options, { sourceVocabularySize: VOCABULARY_SIZE, sourcePadId: PAD_ID });
  const parameters = ParameterSet.initialize(parametersOf([batchLogits(buildModel(config))]), 1);
  const embedding = parameters.parameters.find((parameter) => parameter.name === 'embedding.weight');
  for (const id of [PAD_ID, START_ID, END_ID]) embedding.data.fill(0, id * config.dModel, (id + 1) * config.dModel);

  const folder = await mkdtemp(join(tmpdir(), 'heed-bench-'));
  await writeFile(join(folder, 'model.safetensors'), encodeSafetensors(parameters.parameters, { format: 'heed' }));
  await writeFile(join(folder, 'config.json'), JSON.stringify({ architecture: config }));
  return {
    name,
    folder,
    origin: { name, options },
    config,
    parameters,
    startId: START_ID,
    endId: END_ID,
    sources: lines.map((line, i) => randomSource(line.split(' ').length, i)),
    maxLength: (longestSource) => longestSource,
    release: () => rm(folder, { recursive: true }),
  };
}

/** Random ids in place of words, and END. */
export function randomSource(words, seed) {
  const random = Random.of(1, 'source', seed);
  return Int32Array.from({ length: words + 1 }, (_, i) =>
    i === words ? END_ID : END_ID + 1 + random.integer(VOCABULARY_SIZE - END_ID - 1),
  );
}

/** @returns {Batch[]} sentences of like length together, `size` of them each */
export function batchesOf({ sources, maxLength }, size) {
  const sorted = sources.toSorted((a, b) => a.length - b.length);
  const starts = Array.from({ length: Math.floor(sorted.length / size) }, (_, i) => i * size);
  return starts.map((start) => {
    const batch = sorted.slice(start, start + size);
    return { sources: batch, maxLength: maxLength(batch.at(-1).length) };
  });
}

/** `count` of the items, evenly spread over all of them. */
export function spread(items, count) {
  return Array.from({ length: count }, (_, i) => items[Math.floor(((i + 0.5) * items.length) / count)]);
}
