// The target language: validated against the model's languages, and given to the model as a tag before the source.

import { HeedError } from '../base/error.ts';
import { didYouMean } from '../base/nearest.ts';
import type { StoredModel } from '../model/index.ts';
import { tagFor, taggedLanguages } from '../text/index.ts';

export interface DirectionOptions {
  /** Code of the language to translate into. Default: the model's only one, or the only one from `from`. */
  readonly to?: string | undefined;
  /** Code of the source's language; the model itself does not need it. Default: any of the model's. */
  readonly from?: string | undefined;
}

/**
 * The ids of the tag before each source, as in training; empty if the model has no tags. Text never produces a tag.
 * @throws HeedError for a language that the model does not have, or if `to` is left out although there are several
 */
export function tagIds(
  { sourceTokenizer, directions }: Pick<StoredModel, 'sourceTokenizer' | 'directions'>,
  { from, to }: DirectionOptions,
): number[] {
  const tagged = taggedLanguages(sourceTokenizer);
  const known = directions.filter(({ source }) => from === undefined || source === from);
  if (from !== undefined) {
    const sources = directions.map(({ source }) => source);
    checkLanguage('from', from, sources);
  }
  const targets = from === undefined && tagged.length > 0 ? tagged : [...new Set(known.map(({ target }) => target))];
  if (to !== undefined) checkLanguage('to', to, targets);
  if (tagged.length === 0) return [];
  if (to === undefined && targets.length > 1)
    throw new HeedError('translate', `to must say which language to translate into: ${targets.join(' or ')}.`);
  return [sourceTokenizer.controlId(tagFor(to ?? targets[0]))];
}

function checkLanguage(option: 'from' | 'to', language: string, known: readonly string[]): void {
  if (known.includes(language)) return;
  if (known.length === 0)
    throw new HeedError('translate', `this model does not name its languages; leave out ${option} ${language}.`);
  const choices = [...new Set(known)];
  const suggestion = didYouMean(language, choices) || '.';
  throw new HeedError('translate', `${option} must be ${choices.join(' or ')}, got ${language}${suggestion}`);
}
