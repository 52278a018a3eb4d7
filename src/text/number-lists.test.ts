import { expect, it } from 'vitest';
import { emptyList, type NumberList, NumberLists } from './number-lists.ts';

it('keeps many lists apart, also while entries are reused', () => {
  const lists = new NumberLists();
  const heads: NumberList[] = [emptyList, emptyList, emptyList];
  for (let round = 0; round < 4; round++) {
    for (let value = 0; value < 3000; value++) heads[value % 3] = lists.add(heads[value % 3], value);
    const taken = [...lists.take(heads[1])];
    lists.clear(heads[2]);
    heads[1] = heads[2] = emptyList;
    expect(taken).toEqual(Array.from({ length: 1000 }, (_, i) => 3 * (999 - i) + 1));
  }
  expect([...lists.take(heads[0])]).toHaveLength(4000);
});

it('does not repeat the last value', () => {
  const lists = new NumberLists();
  let list = emptyList;
  for (const value of [7, 7, 8, 7]) list = lists.add(list, value);
  expect([...lists.take(list)]).toEqual([7, 8, 7]);
});
