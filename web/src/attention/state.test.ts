import { describe, expect, it } from 'vitest';
import { type Bounds, formatHeads, parseState } from './state.ts';

const bounds = (): Bounds => ({ layers: 6, heads: 4, rows: 10 });
const parsed = (query: string) => parseState(new URLSearchParams(query), bounds);

describe('parseState', () => {
  it('shows the last layer, all heads and all words at first', () => {
    expect(parsed('')).toEqual({
      kind: 'encoder',
      view: 'map',
      layer: 5,
      head: 0,
      heads: [0, 1, 2, 3],
      word: undefined,
      temperature: 1,
      showsSpecial: true,
    });
  });

  it('reads the parameters of the URL', () => {
    const query = 'attention=cross&view=rows&layer=5&head=2&heads=4,1&word=9&temperature=0.5&special=hidden';
    expect(parsed(query)).toEqual({
      kind: 'cross',
      view: 'rows',
      layer: 4,
      head: 1,
      heads: [0, 3],
      word: 9,
      temperature: 0.5,
      showsSpecial: false,
    });
  });

  it('ignores layers, heads and words that the trace does not have', () => {
    const nonsense = 'attention=x&view=pie&layer=7&head=0&heads=9&word=10&temperature=0';
    expect(parsed(nonsense)).toEqual(parsed(''));
    expect(parsed('temperature=NaN&layer=-1&word=1.5')).toEqual(parsed(''));
  });
});

describe('formatHeads', () => {
  it('can be parsed again', () => {
    for (const heads of [[], [0], [1, 3], [0, 1, 2, 3]]) {
      const text = formatHeads(heads, 4);
      expect(parsed(text === undefined ? '' : `heads=${text}`).heads).toEqual(heads);
    }
  });
});
