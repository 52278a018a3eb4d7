import { expect, it } from 'vitest';
import type { SearchNode } from '../../../src/translate/index.ts';
import type { PlacedNode } from './layout.ts';
import { neighbourOf } from './walk.ts';

const facts = {
  position: 0,
  token: { id: 0, piece: '' },
  logProbability: 0,
  total: 0,
  length: 0,
  divisor: 1,
  score: 0,
};

function place(id: number, parent: number | undefined, depth: number, row: number): PlacedNode {
  const node: SearchNode = {
    ...facts,
    id,
    ...(parent === undefined ? {} : { parent }),
    status: 'live',
    winning: false,
  };
  return { node, depth, row };
}

const placed = [place(0, undefined, 0, 0), place(1, 0, 1, 0), place(2, 0, 1, 3), place(3, 0, 1, 1), place(4, 2, 2, 3)];
const from = (id: number, key: string) => neighbourOf(placed, placed[id], key)?.node.id;

it('moves along paths and within steps', () => {
  expect(from(0, 'ArrowRight')).toBe(1);
  expect(from(4, 'ArrowLeft')).toBe(2);
  expect(from(1, 'ArrowDown')).toBe(3);
  expect(from(2, 'ArrowUp')).toBe(3);
  expect(from(4, 'Home')).toBe(0);
});

it('stays where there is no node', () => {
  expect(from(0, 'ArrowLeft')).toBeUndefined();
  expect(from(1, 'ArrowUp')).toBeUndefined();
  expect(from(4, 'ArrowRight')).toBeUndefined();
  expect(from(4, 'a')).toBeUndefined();
});
