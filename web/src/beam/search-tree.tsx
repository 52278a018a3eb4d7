// The tree: a column for each step, a button for each token, and lines between them. Arrow keys move through it.

import { linkHorizontal } from 'd3-shape';
import type { TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SearchNode, SearchTrace } from '../../../src/translate/index.ts';
import { Piece } from '../inspect/piece.tsx';
import { formatNumber } from './format.ts';
import type { PlacedNode } from './layout.ts';
import { pathOf } from './story.ts';
import { neighbourOf } from './walk.ts';
import { words } from './words.ts';

interface SearchTreeProps {
  readonly search: SearchTrace;
  readonly placed: readonly PlacedNode[];
  readonly shown: SearchNode | undefined;
  readonly onPoint: (node: SearchNode) => void;
}

/** Pixels. */
const [columnWidth, rowHeight, nodeWidth, nodeHeight, margin] = [112, 34, 88, 28, 12];

export function SearchTree({ search, placed, shown, onPoint }: SearchTreeProps) {
  const tree = useRef<HTMLDivElement>(null);
  const path = new Set(shown === undefined ? [] : pathOf(search, shown).map(({ id }) => id));
  const steps = Math.max(...placed.map(({ depth }) => depth));
  const width = 2 * margin + steps * columnWidth + nodeWidth;
  const height = 2 * margin + Math.max(...placed.map(({ row }) => row)) * rowHeight + nodeHeight;
  useLayoutEffect(() => {
    // Scrolls the winner's path to the middle of the frame.
    const frame = tree.current?.parentElement;
    if (frame) frame.scrollTop = y(placed[0].row) + nodeHeight / 2 - frame.clientHeight / 2;
  }, [placed]);
  const press = (event: TargetedKeyboardEvent<HTMLElement>, from: PlacedNode) => {
    const next = neighbourOf(placed, from, event.key);
    if (next === undefined) return;
    event.preventDefault();
    tree.current?.querySelector<HTMLElement>(`[data-node="${next.node.id}"]`)?.focus();
  };
  return (
    <div class="tree-scroll">
      <div class="tree" ref={tree} style={{ width: `${width}px`, height: `${height}px` }}>
        <p class="visually-hidden">{words.value.treeLabel(placed.length, steps)}</p>
        <Links placed={placed} path={path} width={width} height={height} />
        {placed.map((place) => (
          <button
            key={place.node.id}
            type="button"
            class={`node ${place.node.status}${place.node.winning ? ' winning' : ''}${path.has(place.node.id) ? ' on-path' : ''}`}
            style={positionOf(place)}
            data-node={place.node.id}
            tabIndex={place.node.id === (shown ?? placed[0].node).id ? 0 : -1}
            aria-label={labelOf(place.node)}
            onPointerEnter={() => onPoint(place.node)}
            onFocus={() => onPoint(place.node)}
            onKeyDown={(event) => press(event, place)}
          >
            <Piece token={place.node.token} />
          </button>
        ))}
      </div>
    </div>
  );
}

interface LinksProps {
  readonly placed: readonly PlacedNode[];
  readonly path: ReadonlySet<number>;
  readonly width: number;
  readonly height: number;
}

const linkPath = linkHorizontal<{ source: [number, number]; target: [number, number] }, [number, number]>();

function Links({ placed, path, width, height }: LinksProps) {
  const places = new Map(placed.map((place) => [place.node.id, place]));
  return (
    <svg width={width} height={height} aria-hidden="true">
      {placed.map(({ node, depth, row }) => {
        const parent = node.parent === undefined ? undefined : places.get(node.parent);
        if (parent === undefined) return undefined;
        const source: [number, number] = [x(parent.depth) + nodeWidth, y(parent.row) + nodeHeight / 2];
        const target: [number, number] = [x(depth), y(row) + nodeHeight / 2];
        const kind = `link ${node.status}${node.winning ? ' winning' : ''}${path.has(node.id) ? ' on-path' : ''}`;
        const thickness = node.status === 'pruned' ? 1 : 1 + 5 * Math.exp(node.logProbability);
        return <path key={node.id} class={kind} d={linkPath({ source, target }) ?? ''} stroke-width={thickness} />;
      })}
    </svg>
  );
}

function x(depth: number): number {
  return margin + depth * columnWidth;
}

function y(row: number): number {
  return margin + row * rowHeight;
}

function positionOf({ depth, row }: PlacedNode) {
  return { left: `${x(depth)}px`, top: `${y(row)}px`, width: `${nodeWidth}px`, height: `${nodeHeight}px` };
}

function labelOf({ token, total, status, winning }: SearchNode): string {
  const fate = [words.value.statuses[status], ...(winning ? [words.value.winner] : [])].join(', ');
  return words.value.node(token.piece, formatNumber(total), fate);
}
