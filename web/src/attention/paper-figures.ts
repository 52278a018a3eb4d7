// The three figures of the paper's appendix, as settings of this view: encoder self-attention of layer 5 of 6.

import type { AttentionState, Bounds } from './state.ts';

type FigureState = Pick<AttentionState, 'kind' | 'view' | 'layer' | 'heads' | 'word'>;

/**
 * Figure 3: all heads from one word (“making”); figure 4: one head from all words, then two heads from one word (“its”);
 * figure 5: another head from all words. Models with fewer layers or heads show the last but one layer, and the last heads.
 *
 * @param pieces of the source, to look for the paper's words
 */
export function paperFigures({ layers, heads }: Omit<Bounds, 'rows'>, pieces: readonly string[]): FigureState[] {
  const common = { kind: 'encoder', view: 'rows', layer: Math.max(0, layers - 2) } as const;
  const [fifth, sixth] = heads > 5 ? [4, 5] : [Math.max(0, heads - 2), heads - 1];
  const every = Array.from({ length: heads }, (_, head) => head);
  const middle = Math.floor((pieces.length - 1) / 2);
  const wordLike = (word: string) => pieces.findIndex((piece) => piece.replace('▁', '') === word);
  const [making, its] = [wordLike('making'), wordLike('its')];
  return [
    { ...common, heads: every, word: making === -1 ? middle : making },
    { ...common, heads: [fifth], word: undefined },
    {
      ...common,
      heads: [fifth, sixth].filter((head, i, both) => both.indexOf(head) === i),
      word: its === -1 ? middle : its,
    },
    { ...common, heads: [sixth], word: undefined },
  ];
}
