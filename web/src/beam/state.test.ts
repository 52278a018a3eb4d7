import { expect, it } from 'vitest';
import { parseBeam } from './state.ts';

const parsed = (query: string) => parseBeam(new URLSearchParams(query));

it('is the model’s own search at first', () => {
  expect(parsed('')).toEqual({ beam: undefined, lengthPenalty: undefined, leftBehind: 'few' });
});

it('reads the parameters of the URL, within limits', () => {
  const all = { beam: 2, lengthPenalty: 1.5, leftBehind: 'all' };
  expect(parsed('beam=2&lengthPenalty=1.5&leftBehind=all')).toEqual(all);
  expect(parsed('beam=99&lengthPenalty=-3&leftBehind=x')).toEqual({ beam: 8, lengthPenalty: 0, leftBehind: 'few' });
  expect(parsed('beam=&lengthPenalty=NaN')).toEqual(parsed(''));
});
