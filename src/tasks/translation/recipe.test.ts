import { describe, expect, it } from 'vitest';
import { transformerConfig, transformerOptions } from '../../architectures/index.ts';
import { parseOptions } from '../../base/options.ts';
import { trainingOptions } from '../../train/index.ts';
import { pickOptions, requestedOptions } from '../recipe.ts';
import { trainingCorpora, validationCorpus } from './corpora.ts';
import { translation } from './index.ts';
import { presets } from './presets.ts';
import { type TranslationRecipe, translationRecipe } from './recipe.ts';

function recipeOf(options: Record<string, unknown>): TranslationRecipe {
  return parseOptions(translationRecipe, options, 'test');
}

async function presetRecipe(preset: string): Promise<TranslationRecipe> {
  return recipeOf(await requestedOptions(translation, { preset, options: {} }));
}

describe('the paper’s presets', () => {
  it('are named twice', () => {
    expect(presets['paper-base']).toBe(presets.base);
    expect(presets['paper-big']).toBe(presets.big);
  });

  // Table 3 and sections 5.1 to 6.1.
  const both = { encoderLayers: 6, decoderLayers: 6, norm: 'post', embeddings: 'tied', activation: 'relu' };
  const widths = {
    base: { dModel: 512, dInner: 2048, heads: 8, dKey: 64, dValue: 64, dropout: 0.1 },
    big: { dModel: 1024, dInner: 4096, heads: 16, dKey: 64, dValue: 64, dropout: 0.3 },
  };
  const ends = { base: { steps: 100_000, averageLast: 5 }, big: { steps: 300_000, averageLast: 20 } };
  const recipe = {
    schedule: 'paper',
    warmupSteps: 4000,
    labelSmoothing: 0.1,
    clipNorm: 0,
    maxTokens: 25_000,
    accumulate: 1,
    adamBeta1: 0.9,
    adamBeta2: 0.98,
    adamEpsilon: 1e-9,
  };

  it.each(['base', 'big'] as const)('%s is the paper’s model and recipe', async (name) => {
    const chosen = await presetRecipe(name);
    const config = transformerConfig(pickOptions(transformerOptions, chosen), { sourceVocabularySize: 37_000 });
    expect(config).toMatchObject({ ...both, ...widths[name], attentionDropout: 0, activationDropout: 0 });
    expect(pickOptions(trainingOptions, chosen)).toMatchObject({ ...recipe, ...ends[name] });
    expect(chosen).toMatchObject({ merges: 37_000, vocabulary: 'joint', bpeDropout: 0 });
  });
});

describe('trainingCorpora', () => {
  it('is two files, or a list with weights and languages', () => {
    expect(trainingCorpora(recipeOf({ source: 'a', target: 'b' })).map(({ name }) => name)).toEqual(['a and b']);
    const corpora = [
      { source: 'a', target: 'b', weight: 0.7, targetLanguage: 'de' },
      { source: 'c', target: 'd', targetLanguage: 'fr', sourceLanguage: 'en' },
    ];
    const [first, second] = trainingCorpora(recipeOf({ corpora }));
    expect(first).toMatchObject({ name: 'a and b', weight: 0.7, targetLanguage: 'de' });
    expect(second).toMatchObject({ name: 'c and d', targetLanguage: 'fr' });
  });

  it('needs languages that belong together', () => {
    const files = { source: 'a', target: 'b' };
    const german = { ...files, targetLanguage: 'de' };
    const refusals: [Record<string, unknown>, string][] = [
      [{ ...files, sourceLanguage: 'en' }, 'needs both --source-language and --target-language, or neither.'],
      [{ corpora: [german, files] }, 'corpora must all have a targetLanguage, or none.'],
      [{ corpora: [german], sourceLanguage: 'en', targetLanguage: 'de' }, 'stand in each of corpora, not beside them.'],
    ];
    for (const [options, rule] of refusals) expect(() => trainingCorpora(recipeOf(options))).toThrow(rule);
    expect(() => recipeOf({ ...files, sourceLanguage: '>>en<<' })).toThrow('must be letters, digits, - and _');
    expect(trainingCorpora(recipeOf({ ...files, sourceLanguage: 'en', targetLanguage: 'de' }))).toHaveLength(1);
  });

  it('refuses one side alone, nothing, and both ways at once', () => {
    const rule = 'train: needs both --source and --target, or a configuration file with corpora.';
    expect(() => trainingCorpora(recipeOf({ source: 'a' }))).toThrow(rule);
    expect(() => trainingCorpora(recipeOf({}))).toThrow(rule);
    const corpora = [{ source: 'a', target: 'b' }];
    expect(() => trainingCorpora(recipeOf({ corpora, target: 'b' }))).toThrow(
      'train: takes source and target, or corpora, not both.',
    );
  });

  it('refuses weights and lists that make no sense', () => {
    expect(() => recipeOf({ corpora: [] })).toThrow('test: corpora:');
    expect(() => recipeOf({ corpora: [{ source: 'a', target: 'b', weight: 0 }] })).toThrow('test: corpora:');
    expect(() => recipeOf({ corpora: [{ source: 'a', target: 'b', wieght: 1 }] })).toThrow('test: corpora:');
  });
});

describe('validationCorpus', () => {
  it('needs both sides or neither', () => {
    expect(validationCorpus(recipeOf({}))).toBeUndefined();
    expect(validationCorpus(recipeOf({ validSource: 'a', validTarget: 'b' }))?.name).toBe('a and b');
    expect(() => validationCorpus(recipeOf({ validSource: 'a' }))).toThrow('validation needs both --valid-source and');
  });

  it('is in one of the target languages of the corpora', () => {
    const valid = { validSource: 'a', validTarget: 'b' };
    const corpora = ['de', 'fr'].map((targetLanguage) => ({ source: 'a', target: 'b', targetLanguage }));
    const of = (options: Record<string, unknown>) => () => validationCorpus(recipeOf({ ...valid, ...options }));
    expect(of({ corpora, validTargetLanguage: 'fr' })()?.targetLanguage).toBe('fr');
    expect(of({ corpora })).toThrow('validation needs validTargetLanguage, which may be de or fr.');
    expect(of({ corpora, validTargetLanguage: 'frr' })).toThrow('must be de or fr, got frr; did you mean fr?');
    expect(of({ validTargetLanguage: 'fr' })).toThrow('is for corpora with a targetLanguage each; leave it out.');
  });
});
