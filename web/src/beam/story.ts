// A summary of a search: which hypotheses finished, which won, what the length penalty changed, where greedy search would
// have chosen another token, and why the search stopped.

import type { SearchNode, SearchTrace } from '../../../src/translate/index.ts';

export interface Finished {
  readonly node: SearchNode;
  /** The pieces on its path, without START and END. */
  readonly pieces: readonly string[];
}

export interface Story {
  /** All complete hypotheses: the winner, then the others, best first. */
  readonly finished: readonly Finished[];
  /** The best by the sum of log-probabilities, if that is not the winner. */
  readonly withoutPenalty: Finished | undefined;
  /** Steps, from 0, at which the winner's token was not the most probable one after its prefix. */
  readonly detours: readonly Detour[];
}

export interface Detour {
  /** The winner's token. */
  readonly taken: SearchNode;
  /** The token that greedy search would have chosen. */
  readonly greedy: SearchNode;
}

export function storyOf(search: SearchTrace): Story {
  const finished = search.nodes
    .filter(({ status }) => status === 'finished')
    .sort((a, b) => Number(b.id === search.results[0]) - Number(a.id === search.results[0]) || b.score - a.score)
    .map((node) => ({ node, pieces: piecesOf(search, node) }));
  const [winner] = finished;
  const byTotal = [...finished].sort((a, b) => b.node.total - a.node.total)[0];
  return {
    finished,
    withoutPenalty: byTotal === winner ? undefined : byTotal,
    detours: winner === undefined ? [] : detoursOf(search, winner.node),
  };
}

/** From the root to a node. */
export function pathOf({ nodes }: SearchTrace, node: SearchNode): SearchNode[] {
  const path = [node];
  for (let at = node.parent; at !== undefined; at = nodes[at].parent) path.unshift(nodes[at]);
  return path;
}

export function piecesOf(search: SearchTrace, node: SearchNode): string[] {
  return pathOf(search, node)
    .filter(({ token }) => !token.special)
    .map(({ token }) => token.piece);
}

/** Pieces as a text: ▁ is a space. */
export function textOf(pieces: readonly string[]): string {
  return pieces.join('').replaceAll('▁', ' ').trim();
}

function detoursOf(search: SearchTrace, winner: SearchNode): Detour[] {
  return pathOf(search, winner).flatMap((taken) => {
    const siblings = search.nodes.filter(({ id, parent }) => id !== 0 && parent === taken.parent);
    const [greedy] = siblings.sort((a, b) => b.logProbability - a.logProbability);
    return taken.id === 0 || greedy.id === taken.id ? [] : [{ taken, greedy }];
  });
}

/**
 * The nodes to draw: all active and finished ones, and the best of the pruned ones of each step.
 *
 * @param prunedPerStep Infinity: all
 */
export function drawnNodes({ nodes }: SearchTrace, prunedPerStep: number): SearchNode[] {
  const counts = new Map<number, number>();
  const isDrawn = new Set<SearchNode>();
  for (const node of [...nodes].sort((a, b) => b.total - a.total)) {
    const count = counts.get(node.position) ?? 0;
    if (node.status === 'pruned') counts.set(node.position, count + 1);
    if (node.status !== 'pruned' || count < prunedPerStep) isDrawn.add(node);
  }
  return nodes.filter((node) => isDrawn.has(node));
}
