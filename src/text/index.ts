// Lines of text, and tokenizers: learning, encoding, decoding, and their file format.

export { type LearnOptions, learnTokenizer, learnTokenizerFromStream } from './learn-tokenizer.ts';
export { readLines, splitLines } from './lines.ts';
export type { Normalization } from './normalizer.ts';
export { tagFor, taggedLanguages } from './tag.ts';
export { type EncodeOptions, Tokenizer } from './tokenizer.ts';
export type { WordSplit } from './words.ts';
