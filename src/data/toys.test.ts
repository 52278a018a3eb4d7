import { describe, expect, it } from 'vitest';
import { copyTask, reverseTask } from './toys.ts';

describe('toy tasks', () => {
  it('reverse and copy words', () => {
    const words = ['ab', 'c', 'd'];
    for (const { source, target } of reverseTask({ count: 50, seed: 1, words }))
      expect(target).toBe(source.split(' ').reverse().join(' '));
    for (const { source, target } of copyTask({ count: 50, seed: 1, words })) expect(target).toBe(source);
  });

  it('keep to their words and lengths, and use them all', () => {
    const pairs = reverseTask({ count: 500, seed: 2, words: ['a', 'b', 'c'], minLength: 2, maxLength: 4 });
    const lengths = pairs.map((pair) => pair.source.split(' ').length);
    expect(new Set(lengths)).toEqual(new Set([2, 3, 4]));
    expect(new Set(pairs.flatMap((pair) => pair.source.split(' ')))).toEqual(new Set(['a', 'b', 'c']));
  });

  it('are functions of the seed', () => {
    const options = { count: 20, seed: 3 };
    expect(reverseTask(options)).toEqual(reverseTask(options));
    expect(reverseTask({ ...options, seed: 4 })).not.toEqual(reverseTask(options));
  });

  it('refuse impossible sentences', () => {
    const of = (options: object) => () => reverseTask({ count: 1, seed: 1, ...options });
    expect(of({ words: [] })).toThrow('reverse task: there must be at least one word to draw from');
    expect(of({ minLength: 0 })).toThrow('lengths must be 1 ≤ minLength ≤ maxLength, got 0 and 12.');
    expect(of({ minLength: 5, maxLength: 4 })).toThrow('got 5 and 4.');
  });
});
