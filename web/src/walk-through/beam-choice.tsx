// One step of the search: every continuation that was considered, and its outcome.

import type { SearchNode, SearchTrace, Trace, TraceToken } from '../../../src/translate/index.ts';
import { Scrollable } from '../design/scrollable.tsx';
import { Piece } from '../inspect/piece.tsx';
import { hashOfView } from '../router.ts';
import { format } from './sums.ts';
import { words } from './words.ts';

/** Rows shown; further continuations are far less probable. */
const mostRows = 12;

export function BeamChoice({ trace, position }: { readonly trace: Trace; readonly position: number }) {
  const { search } = trace;
  if (search === undefined) return <p>{words.value.noSearch}</p>;
  const considered = search.nodes.filter((node) => node.position === position).sort((a, b) => b.total - a.total);
  return (
    <div class="beam-choice">
      <Scrollable label={words.value.stages.beam.title}>
        <table class="candidates">
          <caption>{words.value.beamStep(position + 1, search.beam)}</caption>
          <thead>
            <tr>
              <th scope="col">{words.value.beamPath}</th>
              <th scope="col">{words.value.piece}</th>
              <th scope="col">log p</th>
              <th scope="col">{words.value.total}</th>
              <th scope="col">{words.value.status}</th>
            </tr>
          </thead>
          <tbody>
            {considered.slice(0, mostRows).map((node) => (
              <tr key={node.id} class={node.winning ? 'taken' : node.status}>
                <td class="hint">
                  {beginningOf(search, node).map((token, i) => (
                    <Piece key={i} token={token} />
                  ))}
                </td>
                <th scope="row">
                  <Piece token={node.token} />
                </th>
                <td class="number">{format(node.logProbability)}</td>
                <td class="number">{format(node.total)}</td>
                <td>
                  {words.value.statuses[node.status]}
                  {node.winning && <span class="hint"> · {words.value.winner}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
      <a href={hashOfView('beam')}>{words.value.toBeamView}</a>
    </div>
  );
}

/** The last tokens before a node. */
function beginningOf({ nodes }: SearchTrace, node: SearchNode): TraceToken[] {
  const tokens: TraceToken[] = [];
  for (let at = node.parent; at !== undefined && tokens.length < 4; at = nodes[at].parent)
    tokens.unshift(nodes[at].token);
  return tokens;
}
