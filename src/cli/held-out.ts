// What a model in training makes of the held-out text: greedy translations, their BLEU, and the first few to be read.

import { type BleuScore, type BleuTokenizer, corpusBleu } from '../metrics/index.ts';
import type { StoredModel } from '../model/index.ts';
import type { ParameterSet } from '../runtime/index.ts';
import { compile } from '../runtime/node/index.ts';
import type { HeldOutTranslations } from '../train/index.ts';
import { Translator } from '../translate/index.ts';
import type { Corpus } from './corpora.ts';
import type { Recipe } from './recipe.ts';

const defaultSamples = 3;

type HeldOut = (parameters: ParameterSet) => Promise<HeldOutTranslations>;

/** What translates at each validation; undefined if neither BLEU nor samples are asked for. */
export async function heldOutTranslations(
  valid: Corpus,
  model: Omit<StoredModel, 'parameters'>,
  recipe: Recipe,
): Promise<HeldOut | undefined> {
  const { validBleu, samples: sampleCount = defaultSamples } = recipe;
  const { sources, references } = await firstPairs(valid, validBleu ? Number.POSITIVE_INFINITY : sampleCount);
  if (sources.length === 0) return undefined;
  let tried: { parameters: ParameterSet; translator: Translator } | undefined;
  return async (current) => {
    if (tried === undefined) {
      const parameters = current.copy();
      tried = { parameters, translator: new Translator({ ...model, parameters }, { compile, weights: 'fed' }) };
    }
    tried.parameters.data.set(current.data);
    const translations = await tried.translator.translate(sources, { beam: 1, to: valid.targetLanguage });
    const samples = translations.slice(0, sampleCount).map((translation, i) => ({
      ...{ source: sources[i], reference: references[i], translation },
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
  { valid, recipe }: { valid: Corpus; recipe: Recipe },
) {
  const { score, signature }: BleuScore = corpusBleu(translations, [references], {
    tokenizer: recipe.bleuTokenize ?? bleuTokenizerOf(valid.targetLanguage ?? recipe.targetLanguage),
    lowercase: recipe.lowercase,
  });
  return { bleu: score, signature };
}

/** sacreBLEU's choice: Chinese has no spaces to tell words by. */
function bleuTokenizerOf(language = ''): BleuTokenizer {
  return /^zh\b/i.test(language) ? 'zh' : '13a';
}
