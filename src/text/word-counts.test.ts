import { expect, it } from 'vitest';
import { detached, WordCounts } from './word-counts.ts';

it('counts words', () => {
  const words = new WordCounts();
  for (const word of ['a', 'b', 'a', '__proto__', 'a']) words.add(word);
  expect([...words.counts]).toEqual([
    ['a', 3],
    ['b', 1],
    ['__proto__', 1],
  ]);
});

it('drops the rarest words if there are too many', () => {
  const words = new WordCounts(10);
  const add = (word: string, times: number): void => {
    for (let i = 0; i < times; i++) words.add(word);
  };
  for (let i = 0; i < 6; i++) add(`often ${i}`, 3);
  for (let i = 0; i < 4; i++) add(`sometimes ${i}`, i < 2 ? 2 : 1);
  add('new', 1); // 10 words: those seen once go, then those seen twice, then those seen three times
  expect([...words.counts]).toEqual([['new', 1]]);
  for (let i = 0; i < 1000; i++) add(`once ${i}`, 1);
  expect(words.counts.size).toBeLessThanOrEqual(10);
});

it('never drops frequent words', () => {
  const words = new WordCounts(10);
  for (let i = 0; i < 100; i++) words.add('frequent');
  for (let i = 0; i < 200; i++) words.add(`rare ${i}`);
  expect(words.counts.get('frequent')).toBe(100);
});

it('copies every character', () => {
  expect(detached(' größte😀')).toBe(' größte😀');
});
