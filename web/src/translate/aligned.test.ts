import { describe, expect, it } from 'vitest';
import { alignedText, type ShownSentence } from './aligned.ts';

function shownSentence(parts: {
  source: string;
  sourcePieces: string[];
  text: string;
  pieces: string[];
  links: number[];
  words?: { source: number; target: number }[];
  starts?: ShownSentence['starts'];
}): ShownSentence {
  const { source, sourcePieces, text, pieces, links, words = [], starts = { source: 0, target: 0 } } = parts;
  const translation: ShownSentence['translation'] = {
    text,
    pieces,
    tokens: pieces.map((_, i) => i),
    score: -1,
    reason: 'end',
    missingTerms: [],
    logProbabilities: pieces.map((_, i) => -i),
    alignment: { pieces: links, words },
  };
  const sentence = { source, sourcePieces, separator: '', targetSeparator: '', translations: [translation] };
  return { sentence, translation, starts };
}

const linksOf = (units: readonly { readonly links: readonly number[] }[]) => units.map(({ links }) => links);

describe('alignedText', () => {
  it('links units by the alignment of words, with the probability of each piece', () => {
    const { source, target } = alignedText([
      shownSentence({
        source: 'a dog',
        sourcePieces: ['▁a', '▁d', 'og', '</s>'],
        text: 'ein Hund',
        pieces: ['▁ein', '▁Hu', 'nd'],
        links: [0, 0, 2],
        words: [
          { source: 0, target: 0 },
          { source: 1, target: 1 },
        ],
      }),
    ]);
    expect(linksOf(target)).toEqual([[0], [1]]);
    expect(linksOf(source)).toEqual([[0], [1]]);
    expect(target[1].pieces).toEqual([
      { start: 4, end: 6, probability: Math.exp(-1) },
      { start: 6, end: 8, probability: Math.exp(-2) },
    ]);
  });

  it('links by pieces if one side has no spaces; a tag before the source counts as one of its pieces', () => {
    const { source, target } = alignedText([
      shownSentence({
        source: 'I like cats',
        sourcePieces: ['>>zh<<', '▁I', '▁like', '▁cat', 's', '</s>'],
        text: '我喜欢猫',
        pieces: ['▁我', '喜欢', '猫'],
        links: [1, 2, 4],
      }),
    ]);
    expect(source.map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [2, 6],
      [7, 11],
    ]);
    expect(linksOf(target)).toEqual([[0], [1], [2]]);
    expect(linksOf(source)).toEqual([[0], [1], [2]]);
  });

  it('continues the indices of units and positions from sentence to sentence', () => {
    const words = [{ source: 0, target: 0 }];
    const one = { source: 'Yes.', sourcePieces: ['▁Yes.', '</s>'], text: 'Ja.', pieces: ['▁Ja.'], links: [0], words };
    const { source, target } = alignedText([
      shownSentence(one),
      shownSentence({ ...one, starts: { source: 5, target: 4 } }),
    ]);
    expect(source[1]).toMatchObject({ start: 5, end: 9, sentence: 1, links: [1] });
    expect(target[1]).toMatchObject({ start: 4, end: 7, sentence: 1, links: [1] });
  });

  it('has units without links for a sentence without alignment', () => {
    const blank = shownSentence({ source: '42', sourcePieces: [], text: '42', pieces: [], links: [] });
    expect(linksOf(alignedText([blank]).target)).toEqual([[]]);
  });
});
