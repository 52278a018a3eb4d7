// Validation by translation: greedy translations of the validation text by the model in training, their BLEU, and samples.

import { type BleuScore, type BleuTokenizer, corpusBleu } from '../../metrics/index.ts';
import type { StoredModel } from '../../model/index.ts';
import type { ParameterSet } from '../../runtime/index.ts';
import { compile } from '../../runtime/node/index.ts';
import type { TaskMetrics } from '../../train/index.ts';
import { Translator } from '../../translate/index.ts';
import type { Corpus } from './corpora.ts';
import type { TranslationRecipe } from './recipe.ts';

const defaultSamples = 3;

/** Called at each validation; undefined if neither BLEU nor samples are requested. */
export async function validationTranslations(
  valid: Corpus,
  model: Omit<StoredModel, 'parameters'>,
  recipe: TranslationRecipe,
): Promise<TaskMetrics | undefined> {
  const { validBleu, samples: sampleCount = defaultSamples } = recipe;
  const { sources, references } = await firstPairs(valid, validBleu ? Number.POSITIVE_INFINITY : sampleCount);
  if (sources.length === 0) return undefined;
  let cached: { parameters: ParameterSet; translator: Translator } | undefined;
  return async (current) => {
    if (cached === undefined) {
      const parameters = current.copy();
      cached = { parameters, translator: new Translator({ ...model, parameters }, { compile, weights: 'fed' }) };
    }
    cached.parameters.data.set(current.data);
    const translations = await cached.translator.translate(sources, { beam: 1, to: valid.targetLanguage });
    const samples = translations.slice(0, sampleCount).map((translation, i) => ({
      source: sources[i],
      reference: references[i],
      translation,
    }));
    return {
      ...(validBleu ? bleuOf(translations, references, { valid, recipe }) : {}),
      ...(samples.length > 0 ? { samples } : {}),
    };
  };
}

async function firstPairs(corpus: Corpus, most: number) {
  const sources: string[] = [];
  const references: string[] = [];
  if (most > 0) {
    for await (const { source, target } of corpus.pairs()) {
      sources.push(source);
      references.push(target);
      if (sources.length >= most) break;
    }
  }
  return { sources, references };
}

function bleuOf(
  translations: readonly string[],
  references: readonly string[],
  { valid, recipe }: { valid: Corpus; recipe: TranslationRecipe },
) {
  const { score, signature }: BleuScore = corpusBleu(translations, [references], {
    tokenizer: recipe.bleuTokenize ?? bleuTokenizerOf(valid.targetLanguage ?? recipe.targetLanguage),
    lowercase: recipe.lowercase,
  });
  return { bleu: score, signature };
}

/** As sacreBLEU chooses: Chinese words are not separated by spaces. */
function bleuTokenizerOf(language = ''): BleuTokenizer {
  return /^zh\b/i.test(language) ? 'zh' : '13a';
}
