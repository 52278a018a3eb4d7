import { describe, expect, it } from 'vitest';
import { Registry } from './registry.ts';

describe('Registry', () => {
  const fruit = new Registry<number>('fruit');
  fruit.register('apple', 1);
  fruit.register('pear', 2);

  it('gives what was registered under a name, and lists the names in order', () => {
    expect(fruit.get('pear')).toBe(2);
    expect(fruit.names).toEqual(['apple', 'pear']);
  });

  it('refuses a name twice', () => {
    expect(() => fruit.register('apple', 3)).toThrow(
      'register: fruit apple is registered already; choose another name.',
    );
    expect(fruit.get('apple')).toBe(1);
  });

  it('names the nearest entry for an unknown name', () => {
    expect(() => fruit.get('aple')).toThrow('fruit: unknown name aple; did you mean apple? Known: apple, pear.');
    expect(() => fruit.get('bread roll')).toThrow('fruit: unknown name bread roll. Known: apple, pear.');
  });

  it('makes an option that accepts what is registered when it is checked', () => {
    const option = fruit.option();
    expect(option.safeParse('plum').error?.issues[0].message).toBe('Invalid option: expected one of "apple"|"pear"');
    fruit.register('plum', 3);
    expect(option.parse('plum')).toBe('plum');
  });
});
