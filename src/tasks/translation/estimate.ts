// What a translation run will take, from its text and a few timed updates.

import { buildModel, type TransformerConfig } from '../../architectures/index.ts';
import { Random } from '../../base/random.ts';
import type { EncodedPair, PairSource } from '../../data/index.ts';
import { checkOptions, trainingOptions } from '../../train/index.ts';
import { type Estimate, estimateRun } from '../estimate.ts';
import { modelGraph } from '../model-graph.ts';
import { pickOptions } from '../recipe.ts';
import { encodeCorpora } from './encoded-corpora.ts';
import { PairBatches } from './pair-batches.ts';
import type { TranslationRecipe } from './recipe.ts';
import { learnTokenizers } from './tokenizers.ts';
import { configOf, dataOf, partsOfCorpora } from './translation.ts';

export async function estimateTranslation(recipe: TranslationRecipe): Promise<Estimate> {
  const { corpora, validation } = dataOf(recipe);
  const options = pickOptions(trainingOptions, recipe);
  const hasValidation = validation !== undefined;
  checkOptions(options, { hasValidation });
  const tokenizers = await learnTokenizers(corpora, recipe);
  const config = configOf(recipe, tokenizers);
  const pairs = new PairsOfLengths(config);
  const reports = await encodeCorpora(corpora, tokenizers, { recipe, sink: pairs });
  return estimateRun({
    data: { pairs: pairs.length, pieces: { source: tokenizers.source.size, target: tokenizers.target.size } },
    graph: modelGraph(buildModel(config, { dropout: true }), options.labelSmoothing),
    width: config.dModel,
    batches: new PairBatches({ pairs, corpora: partsOfCorpora(corpora, reports), ids: tokenizers, ...options }),
    options,
    hasValidation,
  });
}

/** Pairs of which only the lengths are kept, with random ids: any ids take the same time. */
class PairsOfLengths implements PairSource {
  private readonly lengths: number[] = [];

  constructor(private readonly vocabulary: Pick<TransformerConfig, 'sourceVocabularySize' | 'targetVocabularySize'>) {}

  get length(): number {
    return this.lengths.length / 2;
  }

  append({ source, target }: EncodedPair): void {
    this.lengths.push(source.length, target.length);
  }

  sourceLength(index: number): number {
    return this.lengths[2 * index];
  }

  targetLength(index: number): number {
    return this.lengths[2 * index + 1];
  }

  pair(index: number): EncodedPair {
    const random = Random.of(1, 'dry run', index);
    const firstId = 3;
    const side = (length: number, vocabularySize: number) =>
      Int32Array.from({ length }, () => firstId + random.integer(vocabularySize - firstId));
    const { sourceVocabularySize, targetVocabularySize } = this.vocabulary;
    return {
      source: side(this.sourceLength(index), sourceVocabularySize),
      target: side(this.targetLength(index), targetVocabularySize),
    };
  }
}
