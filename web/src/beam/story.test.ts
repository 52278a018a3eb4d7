import { describe, expect, it } from 'vitest';
import type { SearchNode, SearchTrace } from '../../../src/translate/index.ts';
import { drawnNodes, piecesOf, storyOf, textOf } from './story.ts';

type Facts = Partial<SearchNode> & Pick<SearchNode, 'id'>;

/** ▁a ▁b ends at 6 and wins by length penalty; ▁c ends at 4 with the higher sum. */
const facts: readonly Facts[] = [
  { id: 0, position: -1, token: { id: 1, piece: '<s>', special: true } },
  { id: 1, parent: 0, position: 0, token: { id: 10, piece: '▁a' }, logProbability: -0.9, total: -0.9 },
  { id: 2, parent: 0, position: 0, token: { id: 11, piece: '▁c' }, logProbability: -0.8, total: -0.8 },
  { id: 3, parent: 0, position: 0, token: { id: 12, piece: '▁d' }, logProbability: -3, total: -3, status: 'pruned' },
  {
    id: 4,
    parent: 2,
    position: 1,
    token: { id: 2, piece: '</s>', special: true },
    logProbability: -0.2,
    total: -1,
    score: -0.9,
    status: 'finished',
    reason: 'end',
    length: 2,
  },
  { id: 5, parent: 1, position: 1, token: { id: 13, piece: 'b' }, logProbability: -0.1, total: -1 },
  {
    id: 6,
    parent: 5,
    position: 2,
    token: { id: 2, piece: '</s>', special: true },
    logProbability: -0.1,
    total: -1.1,
    score: -0.8,
    status: 'finished',
    reason: 'end',
    length: 3,
  },
  { id: 7, parent: 1, position: 1, token: { id: 14, piece: 'x' }, logProbability: -4, total: -4.9, status: 'pruned' },
];

const usual = {
  position: 0,
  token: { id: 0, piece: '' },
  logProbability: 0,
  total: 0,
  length: 0,
  divisor: 1,
  score: 0,
};

const search: SearchTrace = {
  beam: 2,
  lengthPenalty: { kind: 'gnmt', alpha: 0.6 },
  coveragePenalty: 0,
  nodes: facts.map((node) => ({ ...usual, status: 'live', winning: false, ...node })),
  results: [6],
  stop: { rule: 'blocked' },
};

describe('storyOf', () => {
  const story = storyOf(search);

  it('lists finished hypotheses, best first', () => {
    expect(story.finished.map(({ node }) => node.id)).toEqual([6, 4]);
    expect(textOf(story.finished[0].pieces)).toBe('ab');
  });

  it('finds the hypothesis that would have won without the penalty', () => {
    expect(story.withoutPenalty?.node.id).toBe(4);
    const unpunished = search.nodes.map((node) => ({ ...node, score: node.total }));
    expect(storyOf({ ...search, nodes: unpunished, results: [4] }).withoutPenalty).toBeUndefined();
  });

  it('finds where greedy search would have chosen another token', () => {
    expect(story.detours.map(({ taken, greedy }) => [taken.id, greedy.id])).toEqual([[1, 2]]);
  });

  it('accepts a search without finished hypotheses', () => {
    const nothing = storyOf({ ...search, nodes: search.nodes.slice(0, 1), results: [] });
    expect(nothing).toEqual({ finished: [], withoutPenalty: undefined, detours: [] });
  });
});

describe('drawnNodes', () => {
  it('keeps the best of the pruned nodes of each step', () => {
    expect(drawnNodes(search, 0).map(({ id }) => id)).toEqual([0, 1, 2, 4, 5, 6]);
    expect(drawnNodes(search, 1)).toHaveLength(8);
    expect(drawnNodes(search, Number.POSITIVE_INFINITY)).toHaveLength(8);
  });
});

it('piecesOf omits START and END', () => {
  expect(piecesOf(search, search.nodes[6])).toEqual(['▁a', 'b']);
  expect(textOf(['▁a', 'b', '▁c'])).toBe('ab c');
});
