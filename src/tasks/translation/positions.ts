// A table of learned positions has a fixed length. Sentences that are longer are refused before training, instead of failing
// with an index error during it.

import type { SequenceModel } from '../../architectures/index.ts';
import { HeedError } from '../../base/error.ts';
import type { PairLengths } from '../../data/index.ts';

/** @throws HeedError if a sentence, its END counted, is longer than the model's table of learned positions */
export function checkPositions(
  { maxPositions }: Pick<SequenceModel, 'maxPositions'>,
  { source, target }: PairLengths,
): void {
  const longest = [source, target].reduce((most, side) => side.reduce((a, b) => Math.max(a, b), most), 0);
  if (longest <= maxPositions) return;
  const rule = `sentences must fit into ${maxPositions} learned positions`;
  throw new HeedError(
    'positions',
    `${rule}, got one of ${longest} with its end; raise maxPositions or lower maxLength.`,
  );
}
