// The experiments of docs/results.md, in its order: which files each reads, how its tests are translated and scored.
//
// How to train stands in the recipe, results/NAME.yaml. Search options are chosen on validation text, never on a test.

/**
 * @typedef {object} Test
 * @property {string} name as the tables print it
 * @property {string} [source] @property {string} [reference] files of the experiment's data folder
 * @property {string} [validationOf] instead: a text of the training files, whose held-out part a language model predicts
 * @property {string[]} [direction] flags of heed translate: --from and --to
 * @property {string[]} [scoring] flags of heed evaluate
 * @property {boolean} [severalReferences] whether lines with the same source are one item with several references
 *
 * @typedef {object} Experiment
 * @property {string} title
 * @property {string} data folder within the data folder
 * @property {Record<string, string>} training files that the recipe does not name, by the flag of heed train
 * @property {number} [validationEvery] if the data has no validation text: every n-th training pair is used for it
 * @property {number} [validationShare] or this share of a text, at its end
 * @property {string[]} [trainFlags] further flags of heed train
 * @property {{ beam: number, lengthPenalty: string }} [search] how the tests are translated
 * @property {boolean} [bundled] whether its model is the bundled one
 * @property {Test[]} tests
 */

const multi30kTests = ['test_2016_flickr', 'test_2017_flickr', 'test_2017_mscoco'];

/** @type {Record<string, Experiment>} */
export const experiments = {
  'multi30k-en-de': {
    title: 'Multi30k, English → German, lower-cased Moses tokens',
    data: 'multi30k-tok',
    training: { source: 'train.en', target: 'train.de', 'valid-source': 'val.en', 'valid-target': 'val.de' },
    search: { beam: 5, lengthPenalty: 'average:1.2' },
    tests: multi30kTests.map((name) => ({
      name,
      source: `${name}.en`,
      reference: `${name}.de`,
      scoring: ['--metric', 'bleu', '--tokenize', 'none'],
    })),
  },

  'multi30k-de-en': {
    title: 'Multi30k, German → English, cased raw text',
    data: 'multi30k',
    training: { source: 'train.de', target: 'train.en', 'valid-source': 'val.de', 'valid-target': 'val.en' },
    search: { beam: 5, lengthPenalty: 'average:1' },
    tests: multi30kTests.map((name) => ({
      name,
      source: `${name}.de`,
      reference: `${name}.en`,
      scoring: ['--metric', 'bleu,chrf'],
    })),
  },

  'g2p-cmudict': {
    title: 'CMUdict, letters → phones',
    data: 'g2p-cmudict',
    training: {
      source: 'train.graph',
      target: 'train.phon',
      ...{ 'valid-source': 'dev.graph', 'valid-target': 'dev.phon' },
    },
    search: { beam: 5, lengthPenalty: 'none' },
    // The word error rate of the literature is the share of wrong words: `wrong` after EM.
    tests: [
      {
        name: 'test',
        source: 'test.graph',
        reference: 'test.phon',
        severalReferences: true,
        scoring: ['--metric', 'exact,per'],
      },
    ],
  },

  'scan-simple': {
    title: 'SCAN, simple split',
    data: 'scan',
    training: { source: 'simple.train.in', target: 'simple.train.out' },
    validationEvery: 20,
    search: { beam: 1, lengthPenalty: 'none' },
    tests: [{ name: 'test', source: 'simple.test.in', reference: 'simple.test.out', scoring: ['--metric', 'exact'] }],
  },

  'tatoeba-en-zh': {
    title: 'Tatoeba, English ⇄ Chinese in one model',
    data: 'tatoeba-en-zh',
    training: { 'valid-source': 'dev.en', 'valid-target': 'dev.zh' },
    trainFlags: ['--valid-target-language', 'zh'],
    search: { beam: 5, lengthPenalty: 'average:1' },
    bundled: true,
    tests: [
      {
        ...{
          name: 'test, en → zh',
          source: 'test.en',
          reference: 'test.zh',
          direction: ['--from', 'en', '--to', 'zh'],
        },
        scoring: ['--metric', 'bleu,chrf', '--tokenize', 'zh'],
      },
      {
        ...{
          name: 'test, zh → en',
          source: 'test.zh',
          reference: 'test.en',
          direction: ['--from', 'zh', '--to', 'en'],
        },
        scoring: ['--metric', 'bleu,chrf'],
      },
    ],
  },

  tinyshakespeare: {
    title: 'Tiny Shakespeare, a language model of characters',
    data: 'tinyshakespeare',
    training: { text: 'input.txt' },
    validationShare: 0.1,
    tests: [{ name: 'validation', validationOf: 'input.txt' }],
  },
};
