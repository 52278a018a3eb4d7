// Reranks the candidates of beam search by how well the source can be recovered from them: a candidate that drops or invents
// a part of the sentence may be probable in one direction, but not in both.
//
//     node examples/score-and-rerank.mjs [sentence]

import { bundledModel, Translator } from 'heed';

const sentence = process.argv[2] ?? 'I bought a new book yesterday.';
const translator = await Translator.load(await bundledModel()); // knows both directions

const [{ translations }] = await translator.translateAll([sentence], { to: 'zh', beam: 5, nBest: 5 });
const backward = await translator.score(
  translations.map(({ text }) => ({ source: text, target: sentence })),
  { to: 'en' },
);

const candidates = translations.map(({ text, logProbabilities }, i) => {
  const forward = logProbabilities.reduce((sum, value) => sum + value, 0);
  return { text, forward, backward: backward[i].total, both: forward + backward[i].total };
});
candidates.sort((a, b) => b.both - a.both);

console.log(sentence);
for (const { text, forward, backward, both } of candidates) {
  const numbers = [forward, backward, both].map((value) => value.toFixed(2).padStart(8));
  console.log(`${numbers.join('')}  ${text}`);
}
