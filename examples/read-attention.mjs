// Which source pieces the model looks at for each piece of its translation.
//
//     node examples/read-attention.mjs [sentence]

import { bundledModel, Translator } from 'heed';

const sentence = process.argv[2] ?? 'The dog is running.';
const translator = await Translator.load(await bundledModel());
const [{ sourcePieces, translations }] = await translator.translateAll([sentence], { to: 'zh', attention: true });
const [{ text, pieces, attention }] = translations;

console.log(`${sentence} → ${text}`);
for (const [i, piece] of pieces.entries()) {
  // attention[i] has a weight for each source piece; they add up to 1.
  const weights = Array.from(attention[i], (weight, k) => ({ weight, piece: sourcePieces[k] }));
  weights.sort((a, b) => b.weight - a.weight);
  const strongest = weights.slice(0, 3).map(({ weight, piece }) => `${piece} ${(100 * weight).toFixed(0)} %`);
  console.log(`${piece}: ${strongest.join(', ')}`);
}

// A trace has every layer and head of the encoder and the decoder, and any intermediate result: docs/trace.md.
const { attention: layers } = await translator.trace(sentence, { to: 'zh' });
console.log(`${layers.cross.length} decoder layers, ${layers.cross[0].shape[0]} heads each`);
