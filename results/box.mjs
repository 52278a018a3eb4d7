// models/en-zh, the model in the box: int8 weights, a card, and the names of those who wrote the sentences.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { modelCard, quantizeModel } from '../dist/model/index.js';
import { loadModel, saveModel } from '../dist/model/node.js';
import { scoreParts } from './report.mjs';

const mostBytes = 10_000_000;

const dataDescription = `Sentence pairs of the Tatoeba project (https://tatoeba.org) by the contributors whom ATTRIBUTION.txt names,
[CC-BY 2.0 FR](https://creativecommons.org/licenses/by/2.0/fr/): the English–Chinese export as ManyThings.org/anki publishes it
(which claims copyright on its edited file), Chinese converted to simplified characters by opencc-js, split so that no English
sentence is in two parts. The weights are made from these sentences and come under the same licence.`;

const limitations = `It has read 27,000 short everyday sentences and nothing else. Expect it to fail on long sentences, on names, numbers, technical and
literary language, on anything that Tatoeba's learners do not say; it then writes fluent sentences that mean something else. It
writes simplified Chinese only, reads traditional characters poorly, knows no other language, and takes one sentence at a time.
It shows how the software works; do not use it where a wrong translation does harm.`;

/**
 * Replaces the model in the box.
 * @param scoreTests scores the tests with the new model, for the card
 */
export async function makeBox({ model, folder, inputs, facts, scoreTests }) {
  const { search } = inputs.experiment;
  const boxed = { ...quantizeModel(await loadModel(model)), generation: search };
  await saveModel(folder, boxed);
  writeFileSync(`${folder}/ATTRIBUTION.txt`, attribution(readFileSync(inputs.path('all.attribution.tsv'), 'utf8')));
  const { tests } = await scoreTests();
  await saveModel(folder, boxed, { card: cardOf(boxed, { inputs, facts, tests }) });
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(`${folder}/${name}`).size, 0);
  console.log(`${folder}: ${(bytes / 1e6).toFixed(1)} MB`);
  if (bytes > mostBytes) throw new Error(`the model in the box must have at most ${mostBytes} bytes, got ${bytes}`);
}

function cardOf({ directions, training }, { inputs, facts, tests }) {
  const part = (role, name) => ({
    ...{ role, source: `${name}.en`, target: `${name}.zh` },
    pairs: readFileSync(inputs.path(`${name}.en`), 'utf8').split('\n').length - 1,
  });
  const { heedVersion, parameters, updates } = facts;
  return modelCard({
    ...{ name: 'English ⇄ Chinese', heedVersion, parameters, precision: 'int8', directions, license: 'cc-by-2.0' },
    ...{ dataDescription, limitations, trainingSteps: updates, recipe: training },
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
    'The sentences that this model learned from were written by these contributors of the Tatoeba project, https://tatoeba.org.',
    'Their licence: CC-BY 2.0 FR, https://creativecommons.org/licenses/by/2.0/fr/. Number of sentences and name:',
    '',
    ...users.map(([user, count]) => `${String(count).padStart(6)}  ${user}`),
    '',
  ].join('\n');
}
