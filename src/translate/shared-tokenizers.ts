// Checks that the models of an ensemble have the same tokenizers.

import { HeedError } from '../base/error.ts';
import type { StoredModel } from '../model/index.ts';
import type { Tokenizer } from '../text/index.ts';

/** @throws HeedError naming the first difference. @param names of the models, for error messages */
export function checkShareTokenizers(models: readonly StoredModel[], names: readonly string[]): void {
  const [first] = models;
  if (first === undefined) throw new HeedError('translate', 'needs at least one model, got none.');
  for (const [i, model] of models.entries())
    for (const side of ['source', 'target'] as const) {
      const difference = differenceOf(first[`${side}Tokenizer`], model[`${side}Tokenizer`]);
      if (difference === undefined) continue;
      const rule = `must have the ${side} tokenizer of ${names[0]} to translate beside it`;
      throw new HeedError(names[i], `${rule}, but ${difference}; train both models with the same tokenizer.`);
    }
}

/** The first difference in words; undefined if there is none. */
function differenceOf(a: Tokenizer, b: Tokenizer): string | undefined {
  if (a === b || JSON.stringify(a) === JSON.stringify(b)) return undefined;
  const [pieces, others] = [a, b].map((tokenizer) => tokenizer.pieces(Array(tokenizer.size).keys()));
  const place = pieces.findIndex((piece, id) => id < others.length && piece !== others[id]);
  if (place >= 0) return `piece ${place} is “${pieces[place]}” there and “${others[place]}” here`;
  if (a.size !== b.size) return `there are ${a.size} pieces there and ${b.size} here`;
  return 'they cut or normalise text in different ways';
}
