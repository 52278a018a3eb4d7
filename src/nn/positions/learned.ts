// A learned table of positions, added to the embeddings (section 3.5 and table 3, row E). Limits the length of sequences.

import { add, gather } from '../../tensor/index.ts';
import type { PositionScheme } from './scheme.ts';

export const learned: PositionScheme = {
  create(scope, { maxPositions, dModel }) {
    const table = scope.parameter('weight', [maxPositions, dModel], { kind: 'normal', deviation: dModel ** -0.5 });
    return { embed: (x, at) => add(x, scope.result('encoding', gather(table, at))) };
  },
  maxPositions: ({ maxPositions }) => maxPositions,
};
