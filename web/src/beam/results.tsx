// All finished translations, with the parts of their scores.

import { useState } from 'preact/hooks';
import type { SearchNode } from '../../../src/translate/index.ts';
import { Scrollable } from '../design/scrollable.tsx';
import { formatNumber } from './format.ts';
import { type Finished, textOf } from './story.ts';
import { words } from './words.ts';

interface ResultsProps {
  /** Best first. */
  readonly finished: readonly Finished[];
  readonly onPoint: (node: SearchNode) => void;
}

/** A wide beam finishes dozens; only the best are listed. */
const shownAtFirst = 8;

export function Results({ finished, onPoint }: ResultsProps) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? finished : finished.slice(0, shownAtFirst);
  return (
    <section class="results">
      <h2>{words.value.results}</h2>
      <Scrollable label={words.value.results}>
        <table>
          <caption>{words.value.resultsCaption}</caption>
          <thead>
            <tr>
              <th scope="col">{words.value.text}</th>
              <th scope="col">{words.value.total}</th>
              <th scope="col">{words.value.length}</th>
              <th scope="col">{words.value.penalty}</th>
              <th scope="col">{words.value.score}</th>
              <th scope="col">{words.value.reason}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ node, pieces }) => (
              <tr key={node.id} class={node.winning ? 'winning' : undefined} onPointerEnter={() => onPoint(node)}>
                <th scope="row">{textOf(pieces)}</th>
                <td class="number">{formatNumber(node.total)}</td>
                <td class="number">{node.length}</td>
                <td class="number">{formatNumber(node.divisor)}</td>
                <td class="number">{formatNumber(node.score)}</td>
                <td>{node.reason && words.value.reasons[node.reason]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
      {shown.length < finished.length && (
        <button type="button" class="quiet" onClick={() => setShowsAll(true)}>
          {words.value.showAll(finished.length)}
        </button>
      )}
    </section>
  );
}
