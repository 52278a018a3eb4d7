// Why the winner won, in sentences with numbers.

import type { SearchTrace } from '../../../src/translate/index.ts';
import { formatNumber, formatProbability } from './format.ts';
import { type Detour, type Story, textOf } from './story.ts';
import { words } from './words.ts';

export function WhyWon({ search, story }: { readonly search: SearchTrace; readonly story: Story }) {
  const [winner, second] = story.finished;
  return (
    <section class="why-won">
      <h2>{words.value.why}</h2>
      {winner !== undefined && (
        <ul>
          <li>{scoreOf(search, story)}</li>
          <li>
            {second === undefined
              ? words.value.onlyOne
              : words.value.runnerUp(
                  textOf(second.pieces),
                  formatNumber(second.node.score),
                  formatNumber(winner.node.score - second.node.score),
                )}
          </li>
          {second !== undefined && <li>{penaltyOf(story)}</li>}
          <li>{greedyOf(story.detours)}</li>
          <li>{stopOf(search)}</li>
        </ul>
      )}
    </section>
  );
}

function scoreOf({ lengthPenalty }: SearchTrace, { finished }: Story): string {
  const { node, pieces } = finished[0];
  const [text, total] = [textOf(pieces), formatNumber(node.total)];
  const isOff = lengthPenalty.kind === 'none' || (lengthPenalty.kind === 'gnmt' && lengthPenalty.alpha === 0);
  if (isOff) return words.value.wonNone(text, total, node.length);
  return words.value.won(text, total, node.length, formatNumber(node.divisor), formatNumber(node.score));
}

function penaltyOf({ withoutPenalty }: Story): string {
  if (withoutPenalty === undefined) return words.value.penaltyUnchanged;
  const { node, pieces } = withoutPenalty;
  return words.value.penaltyChanged(textOf(pieces), formatNumber(node.total), node.length);
}

function greedyOf([first, ...others]: readonly Detour[]): string {
  if (first === undefined) return words.value.greedySame;
  const { taken, greedy } = first;
  const sentence = words.value.greedyOther(
    textOf([taken.token.piece]),
    formatProbability(taken.logProbability),
    textOf([greedy.token.piece]),
    formatProbability(greedy.logProbability),
    taken.position + 1,
  );
  return others.length === 0 ? sentence : `${sentence} ${words.value.moreDetours(others.length)}`;
}

function stopOf({ stop }: SearchTrace): string {
  if (stop.rule !== 'decided') return words.value.stopped[stop.rule];
  const { bestPossible = Number.NaN, threshold = Number.NaN } = stop;
  return words.value.stopped.decided(formatNumber(bestPossible), formatNumber(threshold));
}
