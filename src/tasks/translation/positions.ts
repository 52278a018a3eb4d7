// A table of learned positions has a fixed length. Sentences that are longer are refused before training, instead of failing
// with an index error during it.

import { HeedError } from '../../base/error.ts';
import type { PairLengths } from '../../data/index.ts';
import type { TransformerConfig } from '../../nn/index.ts';

/** @throws HeedError if a sentence, its END counted, is longer than the model's table of learned positions */
export function checkPositions({ positions, maxPositions }: TransformerConfig, { source, target }: PairLengths): void {
  if (positions !== 'learned') return;
  const longest = [source, target].reduce((most, side) => side.reduce((a, b) => Math.max(a, b), most), 0);
  if (longest <= maxPositions) return;
  const rule = `sentences must fit into ${maxPositions} learned positions`;
  throw new HeedError(
    'positions',
    `${rule}, got one of ${longest} with its end; raise maxPositions or lower maxLength.`,
  );
}
