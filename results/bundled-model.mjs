// models/en-zh, the bundled model: int8 weights, a model card, and the names of the authors of the sentences.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { modelCard, quantizeModel } from '../dist/model/index.js';
import { loadModel, saveModel } from '../dist/model/node.js';
import { scoreParts } from './report.mjs';

const mostBytes = 10_000_000;

const dataDescription = `Sentence pairs of the Tatoeba project (https://tatoeba.org), written by the contributors listed in ATTRIBUTION.txt,
[CC-BY 2.0 FR](https://creativecommons.org/licenses/by/2.0/fr/): the English–Chinese export as published by ManyThings.org/anki
(which claims copyright on its edited file). Chinese was converted to simplified characters by opencc-js. No English sentence is in
more than one of the sets. The weights are derived from these sentences and are under the same licence.`;

const limitations = `The model was trained on 27,000 short everyday sentences only. It often fails on long sentences, names, numbers, technical and
literary language, and topics that learners on Tatoeba do not write about; its output is then fluent but means something else. It
produces simplified Chinese only, reads traditional characters poorly, knows no other language, and translates one sentence at a
time. It is meant to demonstrate the software; do not use it where a wrong translation does harm.`;

/**
 * Replaces the bundled model.
 * @param scoreTests scores the tests with the new model, for the card
 */
export async function makeBundledModel({ model, folder, inputs, facts, scoreTests }) {
  const { search } = inputs.experiment;
  const bundled = { ...quantizeModel(await loadModel(model)), generation: search };
  await saveModel(folder, bundled);
  writeFileSync(`${folder}/ATTRIBUTION.txt`, attribution(readFileSync(inputs.path('all.attribution.tsv'), 'utf8')));
  const { tests } = await scoreTests();
  await saveModel(folder, bundled, { card: cardOf(bundled, { inputs, facts, tests }) });
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(`${folder}/${name}`).size, 0);
  console.log(`${folder}: ${(bytes / 1e6).toFixed(1)} MB`);
  if (bytes > mostBytes) throw new Error(`the bundled model must have at most ${mostBytes} bytes, got ${bytes}`);
}

function cardOf({ directions, training }, { inputs, facts, tests }) {
  const part = (role, name) => ({
    role,
    source: `${name}.en`,
    target: `${name}.zh`,
    pairs: readFileSync(inputs.path(`${name}.en`), 'utf8').split('\n').length - 1,
  });
  const { heedVersion, parameters, updates } = facts;
  return modelCard({
    name: 'English ⇄ Chinese',
    heedVersion,
    parameters,
    precision: 'int8',
    directions,
    license: 'cc-by-2.0',
    dataDescription,
    limitations,
    trainingSteps: updates,
    recipe: training,
    data: [part('training, both ways', 'train'), part('validation, en → zh', 'dev'), part('test, both ways', 'test')],
    scores: tests.flatMap(({ name, scores }) => scores.map((line) => ({ data: name, ...scoreParts(line) }))),
  });
}

/** The contributors by the number of their sentences. @param {string} table `id:user TAB id:user` lines, English and Chinese */
function attribution(table) {
  const sentences = new Set(table.split(/[\t\n]/).filter((entry) => entry !== ''));
  const counts = new Map();
  for (const entry of sentences) {
    const user = entry.slice(entry.indexOf(':') + 1);
    counts.set(user, (counts.get(user) ?? 0) + 1);
  }
  const users = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return [
    'The sentences that this model was trained on were written by these contributors of the Tatoeba project, https://tatoeba.org.',
    'Licence: CC-BY 2.0 FR, https://creativecommons.org/licenses/by/2.0/fr/. Number of sentences and name:',
    '',
    ...users.map(([user, count]) => `${String(count).padStart(6)}  ${user}`),
    '',
  ].join('\n');
}
