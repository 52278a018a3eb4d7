import { expect, it } from 'vitest';
import { isolated, toggled } from './head-choice.ts';

it('switches heads on and off, in order', () => {
  expect(toggled([0, 2], 1)).toEqual([0, 1, 2]);
  expect(toggled([0, 1, 2], 1)).toEqual([0, 2]);
});

it('shows one alone, then all again', () => {
  expect(isolated([0, 1, 3], 1, 4)).toEqual([1]);
  expect(isolated([1], 1, 4)).toEqual([0, 1, 2, 3]);
});
