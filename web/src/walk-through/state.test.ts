import { expect, it } from 'vitest';
import { parseWalk } from './state.ts';

it('reads the parameters of the URL; layers and heads count from 1', () => {
  const query = 'stage=cross.scores&layer=2&head=3&token=4&position=5';
  const state = { stage: 'cross.scores', layer: 1, head: 2, token: 4, position: 5 };
  expect(parseWalk(new URLSearchParams(query))).toEqual(state);
});

it('has the first of everything for missing and invalid parameters', () => {
  const first = { stage: undefined, layer: 0, head: 0, token: 0, position: 0 };
  expect(parseWalk(new URLSearchParams(''))).toEqual(first);
  expect(parseWalk(new URLSearchParams('layer=0&head=-2&token=x&position=1.5'))).toEqual(first);
});
