// Keyboard navigation in the search tree, whose steps are columns.

import type { PlacedNode } from './layout.ts';

/** Right: the first continuation; left: the parent; up and down: the next node of the same step; Home: the root. */
export function neighbourOf(placed: readonly PlacedNode[], from: PlacedNode, key: string): PlacedNode | undefined {
  const { node, depth, row } = from;
  switch (key) {
    case 'ArrowLeft':
      return placed.find((other) => other.node.id === node.parent);
    case 'ArrowRight':
      return first(
        placed.filter((other) => other.node.parent === node.id),
        (other) => Math.abs(other.row - row),
      );
    case 'ArrowUp':
      return first(
        placed.filter((other) => other.depth === depth && other.row < row),
        (other) => -other.row,
      );
    case 'ArrowDown':
      return first(
        placed.filter((other) => other.depth === depth && other.row > row),
        (other) => other.row,
      );
    case 'Home':
      return placed[0];
    default:
      return undefined;
  }
}

function first(places: readonly PlacedNode[], by: (place: PlacedNode) => number): PlacedNode | undefined {
  return [...places].sort((a, b) => by(a) - by(b))[0];
}
