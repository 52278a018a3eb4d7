// Trains a small model that writes dates as ISO 8601, then translates with it. Takes less than a minute.
//
//     node examples/train-and-translate.mjs [folder]

import { mkdir, writeFile } from 'node:fs/promises';
import { data, Translator, train } from 'heed';

const folder = process.argv[2] ?? 'dates-model';
const pairs = data.generateDates({ count: 4000, seed: 1 });

// Parallel text: two files, line i of one is the translation of line i of the other.
const files = { source: `${folder}/train.source`, target: `${folder}/train.target` };
await mkdir(folder, { recursive: true });
await writeFile(files.source, pairs.map(({ source }) => `${source}\n`).join(''));
await writeFile(files.target, pairs.map(({ target }) => `${target}\n`).join(''));

// A preset, and options that override it: `heed train --help` lists them all.
const { outcome, model } = await train(
  {
    ...files,
    model: `${folder}/model`,
    preset: 'small',
    merges: 300,
    dModel: 64,
    dInner: 128,
    warmupSteps: 50,
    epochs: 3,
  },
  {
    onEvent: (event) => {
      if (event.kind === 'epoch') console.log(`epoch ${event.epoch}: loss ${event.negativeLogLikelihood.toFixed(3)}`);
    },
  },
);
console.log(outcome);

const translator = await Translator.load(model);
console.log('3. März 2021 →', await translator.translate('3. März 2021'));
