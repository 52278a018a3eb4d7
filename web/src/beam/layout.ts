// Layout of the search tree: a column for each step, the winner's path on a straight line, dead ends right below it,
// and longer competing branches above or below, as close as possible without touching (Reingold and Tilford's tidy
// trees).

import type { SearchNode } from '../../../src/translate/index.ts';

export interface PlacedNode {
  readonly node: SearchNode;
  /** Steps from the root, from 0. */
  readonly depth: number;
  /** Rows from the top, from 0. */
  readonly row: number;
}

/** A node and its descendants; its root is in row 0. */
interface Branch {
  /** Rows of its nodes, by id. */
  readonly rows: ReadonlyMap<number, number>;
  /** By depth below the root: the first and the last occupied row. */
  readonly first: readonly number[];
  readonly last: readonly number[];
}

/**
 * A node is on the row of its first continuation: the winning one, or else the best.
 *
 * @param nodes parents before their children; the first is the root
 */
export function layoutTree(nodes: readonly SearchNode[]): PlacedNode[] {
  const children = new Map<number, SearchNode[]>();
  for (const node of nodes) {
    if (node.parent !== undefined) children.set(node.parent, [...(children.get(node.parent) ?? []), node]);
  }
  const { rows } = branchOf(nodes[0], children);
  const top = Math.min(...rows.values());
  return nodes.map((node) => ({ node, depth: node.position + 1, row: (rows.get(node.id) ?? 0) - top }));
}

function branchOf(root: SearchNode, children: ReadonlyMap<number, readonly SearchNode[]>): Branch {
  const own = [...(children.get(root.id) ?? [])];
  own.sort((a, b) => Number(b.winning) - Number(a.winning) || b.total - a.total);
  const [main, ...others] = own.map((child) => branchOf(child, children));
  const deadEnds = others.filter(({ rows }) => rows.size === 1);
  const rivals = others.filter(({ rows }) => rows.size > 1);
  const branch = { rows: new Map([[root.id, 0]]), first: [0], last: [0] };
  if (main !== undefined) add(branch, main, 0);
  for (const deadEnd of deadEnds) add(branch, deadEnd, offsetBelow(branch, deadEnd));
  for (const rival of rivals) {
    const [above, below] = [offsetAbove(branch, rival), offsetBelow(branch, rival)];
    add(branch, rival, -above <= below ? above : below);
  }
  return branch;
}

interface GrowingBranch {
  readonly rows: Map<number, number>;
  readonly first: number[];
  readonly last: number[];
}

/** The smallest offset that puts a child's branch at least one row below the branches before it, at every depth. */
function offsetBelow({ last }: Branch, child: Branch): number {
  return Math.max(...child.first.map((row, depth) => (last[depth + 1] ?? Number.NEGATIVE_INFINITY) + 1 - row));
}

function offsetAbove({ first }: Branch, child: Branch): number {
  return Math.min(...child.last.map((row, depth) => (first[depth + 1] ?? Number.POSITIVE_INFINITY) - 1 - row));
}

function add(branch: GrowingBranch, child: Branch, offset: number): void {
  for (const [id, row] of child.rows) branch.rows.set(id, row + offset);
  for (const [depth, row] of child.first.entries())
    branch.first[depth + 1] = Math.min(branch.first[depth + 1] ?? Number.POSITIVE_INFINITY, row + offset);
  for (const [depth, row] of child.last.entries())
    branch.last[depth + 1] = Math.max(branch.last[depth + 1] ?? Number.NEGATIVE_INFINITY, row + offset);
}
