// Texts of the translate view.

import { formatCount } from '../numbers.ts';

export const english = {
  source: 'Source',
  target: 'Translation',
  sourceLanguage: 'Language of the source',
  targetLanguage: 'Language of the translation',
  detectLanguage: 'Detect language',
  detected: (language: string, confidence: number | undefined) =>
    confidence === undefined ? `Detected: ${language}` : `Detected: ${language} (${confidence} %)`,
  modelLanguage: 'Language of the model',
  swap: 'Swap languages',
  placeholder: 'Write or paste a text',
  clear: 'Clear',
  copy: 'Copy',
  copied: 'Copied',
  copyLink: 'Copy link',
  copyFailed: 'The browser does not allow copying.',
  characters: (count: number, limit: number | undefined) =>
    limit === undefined
      ? `${formatCount(count)} characters`
      : `${formatCount(count)} of ${formatCount(limit)} characters`,
  tooLong: (count: number, limit: number) =>
    `The text has ${formatCount(count)} characters; this server takes ${formatCount(limit)}. Shorten it.`,
  translating: 'Translating …',
  translated: 'Translation, word by word',
  wordsHint: 'Arrow keys go from word to word and show where each came from.',
  pointHint: 'Point at a word to see where it came from.',
  sure: 'sure',
  unsure: 'unsure',
  fromWords: 'from',
  becameWords: 'became',
  fromNothing: 'no word stands behind it',
  search: 'Search',
  beam: 'Beam',
  beamHint: 'Hypotheses kept at each step; 1 is greedy search.',
  lengthPenalty: 'Length penalty α',
  lengthPenaltyHint: 'Above 0, longer translations win more easily; 0 is off.',
  alternatives: 'Alternatives',
  alternativesHint: 'Translations beside the best, at most one fewer than the beam.',
  alternativesOf: (sentence: number) => `Alternatives to sentence ${sentence}`,
  apiKey: 'API key',
  score: 'Score: log-probability over length penalty',
  noModels: 'This server has no model to translate with. Start it with one:',
};
