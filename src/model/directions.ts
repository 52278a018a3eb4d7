// Which languages a model translates between, by the codes that its recipe gives them.

import { z } from 'zod';
import { type Tokenizer, taggedLanguages } from '../text/index.ts';
import type { JsonObject } from './json.ts';

/** Codes such as `en` and `zh`. */
export interface Direction {
  readonly source: string;
  readonly target: string;
}

const languages = z.object({ sourceLanguage: z.string().optional(), targetLanguage: z.string().optional() });
const recipe = languages.extend({ corpora: z.array(languages).optional() });

/**
 * The directions that a model learned; none if its recipe names no languages.
 *
 * A corpus whose source language is not named may be from any other language of the model: one with the tags
 * `>>zh<<` and `>>en<<` only translates en → zh and zh → en.
 * @param training the resolved configuration of the training run
 */
export function directionsOf(sourceTokenizer: Tokenizer, training: JsonObject): Direction[] {
  const { data = {} } = recipe.safeParse(training);
  const tags = taggedLanguages(sourceTokenizer);
  const named = (data.corpora ?? [data]).flatMap(({ sourceLanguage: source, targetLanguage: target }) =>
    target === undefined ? [] : [{ source, target }],
  );
  const corpora = named.length > 0 ? named : tags.map((target) => ({ source: undefined, target }));
  const known = [...tags, ...corpora.flatMap(({ source }) => source ?? [])];
  const directions = corpora.flatMap(({ source, target }) =>
    source === undefined
      ? known.filter((language) => language !== target).map((other) => ({ source: other, target }))
      : [{ source, target }],
  );
  return [...new Map(directions.map((direction) => [JSON.stringify(direction), direction])).values()];
}
