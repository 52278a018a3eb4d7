// Trains a small model that reverses a sequence of letters, then translates with it. Takes less than a minute.
//
//     node examples/train-and-translate.mjs [folder]

import { mkdir, writeFile } from 'node:fs/promises';
import { data, Translator, train } from 'heed';

const folder = process.argv[2] ?? 'reversing-model';
const pairs = data.reverseTask({ count: 4000, seed: 1, maxLength: 6, words: [...'abcdefghij'] });

// Parallel text: two files, line i of one is the translation of line i of the other.
const files = { source: `${folder}/train.source`, target: `${folder}/train.target` };
await mkdir(folder, { recursive: true });
await writeFile(files.source, pairs.map(({ source }) => `${source}\n`).join(''));
await writeFile(files.target, pairs.map(({ target }) => `${target}\n`).join(''));

// A preset, and options that override it: `heed train --help` lists them all.
const size = { dropout: 0, merges: 20, dModel: 64, dInner: 128, heads: 4, encoderLayers: 1, decoderLayers: 1 };
const { outcome, model } = await train(
  {
    ...files,
    ...size,
    model: `${folder}/model`,
    preset: 'small',
    peakRate: 4e-3,
    warmupSteps: 100,
    maxTokens: 500,
    epochs: 12,
  },
  {
    onEvent: (event) => {
      if (event.kind === 'epoch') console.log(`epoch ${event.epoch}: loss ${event.negativeLogLikelihood.toFixed(3)}`);
    },
  },
);
console.log(outcome);

const translator = await Translator.load(model);
console.log('a b c d e →', await translator.translate('a b c d e'));
