// What a validation reports: BLEU of all translations of the validation text, and the first few of them to be read.

import { describe, expect, it } from 'vitest';
import { parseOptions } from '../src/base/options.ts';
import { corpusBleu } from '../src/metrics/index.ts';
import { compile } from '../src/runtime/node/index.ts';
import type { Corpus } from '../src/tasks/translation/corpora.ts';
import { translationRecipe } from '../src/tasks/translation/recipe.ts';
import { validationTranslations } from '../src/tasks/translation/validation-translations.ts';
import { Translator } from '../src/translate/index.ts';
import { smallModel } from './small-model.ts';

const model = smallModel();
const sources = ['the cat', '', 'größe', 'the dog sat'];
const references = ['one', 'two', 'three', 'four'];

/** Validation text that counts the pairs it was read for. */
class CountedText implements Corpus {
  readonly name = 'validation';
  read = 0;
  async *sourceLines() {
    yield* sources;
  }
  async *targetLines() {
    yield* references;
  }
  async *pairs() {
    for (const [i, source] of sources.entries()) {
      this.read++;
      yield { source, target: references[i], line: i + 1 };
    }
  }
  hashes = async () => [];
}

async function validated(options: Record<string, unknown>) {
  const text = new CountedText();
  const translate = await validationTranslations(text, model, parseOptions(translationRecipe, options, 'test'));
  return { read: text.read, result: await translate?.(model.parameters) };
}

const translations = () => new Translator(model, { compile }).translate(sources, { beam: 1 });
const samplesOf = (texts: readonly string[], count: number) =>
  texts.slice(0, count).map((translation, i) => ({ source: sources[i], reference: references[i], translation }));

describe('validation translations', () => {
  it('are scored as a whole, and the first three are reported', async () => {
    const texts = await translations();
    const { score: bleu, signature } = corpusBleu(texts, [references]);
    const { result } = await validated({});
    expect(result).toEqual({ bleu, signature, samples: samplesOf(texts, 3) });
  });

  it('are reported in the requested number, without reading more than needed', async () => {
    const { read, result } = await validated({ validBleu: false, samples: 2 });
    expect(result).toEqual({ samples: samplesOf(await translations(), 2) });
    expect(read).toBe(2);
    expect((await validated({ validBleu: false, samples: 99 })).result?.samples).toHaveLength(4);
  });

  it('are only scored, or not computed', async () => {
    expect(Object.keys((await validated({ samples: 0 })).result ?? {})).toEqual(['bleu', 'signature']);
    expect(await validated({ samples: 0, validBleu: false })).toEqual({ read: 0, result: undefined });
  });
});
