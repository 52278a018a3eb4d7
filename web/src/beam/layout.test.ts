import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchNode } from '../../../src/translate/index.ts';
import { layoutTree } from './layout.ts';

function node(id: number, parent: number | undefined, position: number, total = -id): SearchNode {
  const token = { id, piece: String(id) };
  const rest = { token, logProbability: 0, total, length: position + 1, divisor: 1, score: total };
  return { id, ...(parent === undefined ? {} : { parent }), position, ...rest, status: 'live', winning: false };
}

/** A tree from the parents of its nodes 1, 2, …. */
function treeOf(parents: readonly number[]): SearchNode[] {
  const nodes = [node(0, undefined, -1)];
  for (const [i, parent] of parents.entries()) nodes.push(node(i + 1, parent, nodes[parent].position + 1));
  return nodes;
}

/** Parents of random trees: each node hangs below an earlier one. */
const trees = fc
  .array(fc.nat(), { maxLength: 60 })
  .map((numbers) => treeOf(numbers.map((number, i) => number % (i + 1))));

describe('layoutTree', () => {
  it('puts a chain on one line', () => {
    expect(layoutTree(treeOf([0, 1, 2])).map(({ depth, row }) => [depth, row])).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 0],
    ]);
  });

  it('goes straight on with the winning continuation, or else the best, dead ends below', () => {
    const [root, worse, better] = [node(0, undefined, -1), node(1, 0, 0, -5), node(2, 0, 0, -1)];
    expect(layoutTree([root, worse, better]).map(({ row }) => row)).toEqual([0, 1, 0]);
    expect(layoutTree([root, { ...worse, winning: true }, better]).map(({ row }) => row)).toEqual([0, 0, 1]);
  });

  it('puts competing branches as close as possible', () => {
    // 1 goes on to 4 and its dead ends 5 and 6; its rivals 2 and 3 have a continuation each.
    const placed = layoutTree(treeOf([0, 0, 0, 1, 1, 1, 2, 3]));
    expect(placed.map(({ row }) => row)).toEqual([2, 2, 1, 0, 2, 3, 4, 1, 0]);
  });

  it('never puts two nodes of a step closer than a row, nor any node above the first row', () => {
    fc.assert(
      fc.property(trees, (nodes) => {
        const placed = layoutTree(nodes);
        expect(placed).toHaveLength(nodes.length);
        for (const { depth } of placed) {
          const column = placed.filter((other) => other.depth === depth);
          const rows = column.map(({ row }) => row).sort((a, b) => a - b);
          expect(rows[0]).toBeGreaterThanOrEqual(0);
          for (let i = 1; i < rows.length; i++) expect(rows[i] - rows[i - 1]).toBeGreaterThan(1 - 1e-9);
        }
      }),
    );
  });
});
