// A whole model of a few thousand values, for tests of what is saved, loaded and moved about.

import { batchLogits, Transformer, type TransformerConfig, transformerConfig } from '../src/architectures/index.ts';
import { directionsOf, type StoredModel } from '../src/model/index.ts';
import { ParameterSet, parametersOf } from '../src/runtime/index.ts';
import { learnTokenizer, type Tokenizer, tagFor } from '../src/text/index.ts';

export const smallText = 'the cat sat on the mat and the dog sat on the cat; größe, naïve';

/** A tokenizer of all 256 bytes, the characters of a text, and up to `merges` pieces more. */
export function smallTokenizer(merges: number, text = smallText, controlTokens: readonly string[] = []): Tokenizer {
  return learnTokenizer([text], { merges, minimumFrequency: 1, minimumCharacterFrequency: 1, controlTokens });
}

export interface SmallModelOptions {
  /** Two tokenizers and three embedding matrices instead of one. Default false. */
  separate?: boolean;
  /** Default 1. */
  seed?: number;
  /** Default 8. */
  dModel?: number;
  /** Languages that it has tags for. Default: none. */
  languages?: readonly string[];
}

export function smallModel(options: SmallModelOptions = {}): StoredModel & { readonly config: TransformerConfig } {
  const { separate = false, seed = 1, dModel = 8, languages = [] } = options;
  const sourceTokenizer = smallTokenizer(10, smallText, languages.map(tagFor));
  const targetTokenizer = separate ? smallTokenizer(4) : sourceTokenizer;
  const config = transformerConfig(
    { dModel, heads: 2, dInner: 8, encoderLayers: 1, decoderLayers: 1, embeddings: separate ? 'separate' : 'tied' },
    { sourceVocabularySize: sourceTokenizer.size, targetVocabularySize: targetTokenizer.size },
  );
  return {
    config,
    parameters: ParameterSet.initialize(parametersOf([batchLogits(new Transformer(config))]), seed),
    sourceTokenizer,
    targetTokenizer,
    generation: { beam: 4, lengthPenalty: 'gnmt:0.6' },
    training: { seed, labelSmoothing: 0.1 },
    directions: directionsOf(sourceTokenizer, {}),
  };
}
