import { describe, expect, it } from 'vitest';
import { paperFigures } from './paper-figures.ts';

const pieces = ['▁The', '▁Law', '▁making', '▁its', '</s>'];

describe('paperFigures', () => {
  it('are those of the appendix for a model of the paper’s size', () => {
    const [figure3, figure4, figure4Below, figure5] = paperFigures({ layers: 6, heads: 8 }, pieces);
    expect(figure3).toMatchObject({
      kind: 'encoder',
      view: 'rows',
      layer: 4,
      heads: [0, 1, 2, 3, 4, 5, 6, 7],
      word: 2,
    });
    expect(figure4).toMatchObject({ layer: 4, heads: [4], word: undefined });
    expect(figure4Below).toMatchObject({ layer: 4, heads: [4, 5], word: 3 });
    expect(figure5).toMatchObject({ layer: 4, heads: [5], word: undefined });
  });

  it('fit models that are smaller, and sentences without those words', () => {
    const [figure3, figure4, figure4Below] = paperFigures({ layers: 1, heads: 1 }, ['▁a', '▁b', '▁c']);
    expect(figure3).toMatchObject({ layer: 0, heads: [0], word: 1 });
    expect(figure4.heads).toEqual([0]);
    expect(figure4Below).toMatchObject({ heads: [0], word: 1 });
  });
});
