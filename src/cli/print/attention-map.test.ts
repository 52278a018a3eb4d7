import { describe, expect, it } from 'vitest';
import type { TraceArray, TraceToken } from '../../translate/index.ts';
import { type AttentionChoice, type Drawn, drawAttention } from './attention-map.ts';

const token = (piece: string): TraceToken => ({ id: 5, piece });
const array = (shape: number[], ...values: number[]): TraceArray => ({ shape, values });
const next = (piece: string) => ({ ...token(piece), logit: 0, probability: 1, logProbability: 0 });

/** Two heads: the first looks at one token, the second at both alike. */
const trace: Drawn = {
  source: { text: 'a b', tokens: [token('▁a'), token('▁b')] },
  target: {
    text: 'c',
    from: 'caller',
    tokens: [token('<s>'), token('▁c')],
    predictions: [
      { next: next('▁c'), best: [] },
      { next: next('</s>'), best: [] },
    ],
  },
  attention: {
    encoder: [array([1, 2, 2], 1, 0, 0, 1)],
    decoder: [array([1, 2, 2], 1, 0, 0.5, 0.5)],
    cross: [array([2, 2, 2], 1, 0, 0, 1, 0.5, 0.5, 0.5, 0.5), array([2, 2, 2], ...new Array(8).fill(0.5))],
    alignmentLayer: 0,
  },
};
const plain = { colour: false, columns: undefined };
const chosen = (choice: Partial<AttentionChoice> = {}) =>
  drawAttention(trace, { kind: 'cross', layer: undefined, head: undefined, ...choice }, plain);

describe('drawAttention', () => {
  it('draws the layer that aligns, the mean of its heads, rows named by what is read and what comes next', () => {
    expect(chosen()).toEqual([
      'Cross-attention of the decoder, layer 0 of 0–1, mean of 2 heads. Rows: the token read → the token expected next. Columns: the source.',
      '          ▁a ▁b',
      ' <s> → ▁c ▓▓ ░░',
      '▁c → </s> ░░ ▓▓',
      'Entropy of each head in bits (0 looks at one token, 1.00 at all alike):',
      '  0: 0.00  1: 1.00',
    ]);
  });

  it('draws one head', () => {
    expect(chosen({ head: 0 }).slice(1, 4)).toEqual(['          ▁a ▁b', ' <s> → ▁c ██   ', '▁c → </s>    ██']);
  });

  it('draws self-attention, of the encoder token by token', () => {
    expect(chosen({ kind: 'encoder' }).slice(0, 4)).toEqual([
      'Self-attention of the encoder, layer 0 of 0–0, mean of 1 heads. Rows look at columns.',
      '   ▁a ▁b',
      '▁a ██   ',
      '▁b    ██',
    ]);
    expect(chosen({ kind: 'decoder' }).slice(1, 4)).toEqual([
      '          <s> ▁c',
      ' <s> → ▁c ███   ',
      '▁c → </s> ▒▒▒ ▒▒',
    ]);
  });

  it('numbers columns that the terminal has no room for', () => {
    const lines = drawAttention(trace, { kind: 'decoder', layer: 0, head: 0 }, { colour: false, columns: 15 });
    expect(lines.slice(1, 5)).toEqual([
      '          0  1 ',
      ' <s> → ▁c ██   ',
      '▁c → </s> ▒▒ ▒▒',
      'Columns: 0 <s>  1 ▁c',
    ]);
  });

  it('refuses layers and heads that are not there', () => {
    expect(() => chosen({ layer: 2 })).toThrow('--layer: must be a whole number from 0 to 1, got 2.');
    expect(() => chosen({ head: -1 })).toThrow('--head: must be a whole number from 0 to 1, got -1.');
  });
});
