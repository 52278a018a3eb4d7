// Where the nodes of a search stand: a step a column, and branches as close to each other as they can be without touching
// (the idea of Reingold and Tilford's tidy trees).

import type { SearchNode } from '../../../src/translate/index.ts';

export interface PlacedNode {
  readonly node: SearchNode;
  /** Steps from the root, from 0. */
  readonly depth: number;
  /** Rows from the top, from 0; halves where a parent stands between its children. */
  readonly row: number;
}

/** The rows that a branch takes at each depth below its own, relative to its root. */
interface Branch {
  /** Rows of the branch's nodes, by id, relative to its root. */
  readonly rows: ReadonlyMap<number, number>;
  /** By depth below the root: the first and the last row taken. */
  readonly first: readonly number[];
  readonly last: readonly number[];
}

/**
 * Better children stand above. The root of all stands where its children's rows begin at 0.
 *
 * @param nodes parents before their children; a node whose parent is not there is left out
 */
export function layoutTree(nodes: readonly SearchNode[]): PlacedNode[] {
  const children = new Map<number, SearchNode[]>();
  for (const node of nodes) {
    if (node.parent !== undefined) children.set(node.parent, [...(children.get(node.parent) ?? []), node]);
  }
  const [root] = nodes;
  const { rows } = branchOf(root, children);
  const top = Math.min(...rows.values());
  return nodes
    .filter(({ id }) => rows.has(id))
    .map((node) => ({ node, depth: node.position + 1, row: (rows.get(node.id) ?? 0) - top }));
}

function branchOf(root: SearchNode, children: ReadonlyMap<number, readonly SearchNode[]>): Branch {
  const own = [...(children.get(root.id) ?? [])].sort((a, b) => b.total - a.total);
  const branches = own.map((child) => branchOf(child, children));
  const offsets: number[] = [];
  const last: number[] = [];
  for (const branch of branches) {
    const offset = Math.max(
      0,
      ...branch.first.map((row, depth) => (last[depth] ?? Number.NEGATIVE_INFINITY) + 1 - row),
    );
    offsets.push(offset);
    for (const [depth, row] of branch.last.entries()) last[depth] = row + offset;
  }
  const middle = branches.length === 0 ? 0 : (offsets[0] + offsets[offsets.length - 1]) / 2;
  return joined(
    root,
    branches,
    offsets.map((offset) => offset - middle),
  );
}

/** A root at row 0 before its children's branches, each moved by its offset. */
function joined(root: SearchNode, branches: readonly Branch[], offsets: readonly number[]): Branch {
  const rows = new Map([[root.id, 0]]);
  const first = [0];
  const last = [0];
  for (const [i, branch] of branches.entries()) {
    for (const [id, row] of branch.rows) rows.set(id, row + offsets[i]);
    for (const [depth, row] of branch.first.entries())
      first[depth + 1] = Math.min(first[depth + 1] ?? Infinity, row + offsets[i]);
    for (const [depth, row] of branch.last.entries())
      last[depth + 1] = Math.max(last[depth + 1] ?? -Infinity, row + offsets[i]);
  }
  return { rows, first, last };
}
