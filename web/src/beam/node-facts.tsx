// The numbers of one node of the search.

import type { SearchNode, SearchTrace } from '../../../src/translate/index.ts';
import { Piece } from '../inspect/piece.tsx';
import { formatNumber, formatProbability } from './format.ts';
import { pathOf } from './story.ts';
import { words } from './words.ts';

export function NodeFacts({ search, node }: { readonly search: SearchTrace; readonly node: SearchNode }) {
  const facts: readonly (readonly [string, string])[] = [
    [words.value.logProbability, `${formatNumber(node.logProbability)} (${formatProbability(node.logProbability)})`],
    [words.value.total, formatNumber(node.total)],
    [`${words.value.penalty}, n = ${node.length}`, formatNumber(node.divisor)],
    [words.value.score, formatNumber(node.score)],
  ];
  const fate = node.winning
    ? `${words.value.statuses[node.status]}, ${words.value.winner}`
    : words.value.statuses[node.status];
  return (
    <div class="node-facts">
      <p class="pieces">
        <span class="hint">{words.value.path}:&nbsp;</span>
        {pathOf(search, node).map(({ id, token }) => (
          <Piece key={id} token={token} />
        ))}
        <span class="hint">&nbsp;({fate})</span>
      </p>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
