// An architecture in one file: the next word follows from the last one and the sum of the source's words. It is saved, loaded
// and decoded as heed's own are; its weights here are random, and so are its words.
//
//     node examples/custom-architecture.mjs [folder]

import { architectures, learnTokenizer, nn, runtime, saveModel, Translator, tensor, z } from 'heed';

class Bag {
  maxPositions = Number.POSITIVE_INFINITY;
  crossAttentionLayers = 0;
  constructor({ kind, size, width }) {
    const states = [{ name: 'sum', kind: 'fixed', shape: [1, width] }]; // what decoding keeps of a source
    const vocabulary = { source: { size, padId: 0 }, target: { size, padId: 0 }, isShared: true };
    const embedding = new nn.Embedding(new nn.Scope('embedding'), size, width);
    Object.assign(this, { config: { kind, size, width }, width, vocabulary, states, embedding });
  }
  encode(source) {
    const words = this.embedding.lookUp(source, new nn.Scope('encoder')); // [batch, source, width]
    const real = tensor.unsqueeze(tensor.notEqual(source, 0), -1); // [batch, source, 1]: 0 where there is padding
    return { sum: tensor.sum(tensor.multiply(words, real), { axes: [1], keep: true }) }; // [batch, 1, width]
  }
  logits(target, states) {
    return this.embedding.project(tensor.add(this.embedding.lookUp(target, new nn.Scope('decoder')), states.sum));
  }
  step = (tokens, { states }) => ({ logits: this.logits(tokens, states), states: {} });
}

const options = z.strictObject({ size: z.int(), width: z.int().default(16) });
const complete = (given) => ({ kind: 'bag', ...options.parse(given) });
const build = (config) => new Bag(config);
const same = (value) => value; // no older versions to upgrade, no dropout to leave out
architectures.registerArchitecture({ kind: 'bag', options, complete, upgrade: same, withoutDropout: same, build });

const tokenizer = learnTokenizer(['the dog runs', 'the cat sleeps'], { merges: 20, minimumCharacterFrequency: 1 });
const config = complete({ size: tokenizer.size });
const parameters = runtime.ParameterSet.initialize(runtime.parametersOf([architectures.batchLogits(build(config))]), 9);
const folder = process.argv[2] ?? 'bag-model';
const both = { sourceTokenizer: tokenizer, targetTokenizer: tokenizer };
await saveModel(folder, { config, parameters, ...both, generation: {}, training: {}, directions: [] });
console.log(await (await Translator.load(folder)).translate('the dog runs', { maxLength: 5 }));
