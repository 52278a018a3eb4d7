import { describe, expect, test } from 'vitest';
import type { TranslatedLine } from '../../translate/index.ts';
import { pieceSpans, translatedSentence } from './translated-sentence.ts';

describe('pieceSpans', () => {
  test('excludes the space before the text', () => {
    const text = 'The dog, ran';
    const spans = pieceSpans(['▁The', '▁d', 'og', ',', '▁', 'ran', '</s>'], text);
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(['The', 'd', 'og', ',', ' ', 'ran', '']);
  });

  test('counts a character at its first byte', () => {
    const text = '€😀é';
    const pieces = ['▁', '<0xE2>', '<0x82>', '<0xAC>', '<0xF0>', '<0x9F>', '<0x98>', '<0x80>', '<0xC3>', '<0xA9>'];
    const spelled = pieceSpans(pieces, text).map(({ start, end }) => text.slice(start, end));
    expect(spelled).toEqual(['', '€', '', '', '😀', '', '', '', 'é', '']);
  });

  test('a language tag has an empty span', () => {
    expect(pieceSpans(['>>de<<', '▁Hi', '</s>'], 'Hi')).toEqual([
      { start: 0, end: 0 },
      { start: 0, end: 2 },
      { start: 2, end: 2 },
    ]);
  });

  test('scales the spans if the tokenizer changed the text', () => {
    expect(pieceSpans(['▁fi', 'n'], 'ﬁn').at(-1)).toEqual({ start: 4 / 3, end: 2 });
  });
});

function line(
  source: string,
  sourcePieces: string[],
  translation: { text: string; pieces: string[]; attention?: number[][] },
): TranslatedLine {
  const { text, pieces, attention } = translation;
  const rest = { score: 0, tokens: [], logProbabilities: [], reason: 'end' as const, missingTerms: [] };
  const rows = attention?.map((row) => Float32Array.from(row));
  return { source, sourcePieces, translations: [{ text, pieces, attention: rows, ...rest }] };
}

describe('translatedSentence', () => {
  test('words are linked by the sum over their pieces, separately from punctuation', () => {
    const { links } = translatedSentence(
      line('red dog.', ['▁red', '▁do', 'g', '.', '</s>'], {
        text: 'Hund, rot.',
        pieces: ['▁Hund', ',', '▁r', 'ot', '.'],
        attention: [
          [0.45, 0.3, 0.2, 0.05, 0],
          [0, 0.2, 0.1, 0.3, 0.9],
          [0.5, 0.4, 0, 0.1, 0],
          [0.6, 0.2, 0.2, 0, 0],
          [0, 0, 0, 0.4, 0.6],
        ],
      }),
    );
    const words = links?.map(({ source, target }) => [
      'red dog.'.slice(source.start, source.end),
      'Hund, rot.'.slice(target.start, target.end),
    ]);
    expect(words).toEqual([
      ['dog', 'Hund'],
      ['.', ','],
      ['red', 'rot'],
      ['.', '.'],
    ]);
  });

  test('a punctuation mark is linked to a punctuation mark, whatever it attends to', () => {
    const { links } = translatedSentence(
      line('dog.', ['▁dog', '.', '</s>'], {
        text: 'Hund.',
        pieces: ['▁Hund', '.'],
        attention: [
          [0.1, 0.8, 0.1],
          [0.9, 0.05, 0.05],
        ],
      }),
    );
    expect(links?.map(({ source }) => source.start)).toEqual([0, 3]);
  });

  test('Chinese words without spaces have links of their own', () => {
    const { links } = translatedSentence(
      line('red dog', ['▁red', '▁dog', '</s>'], {
        text: '红色的狗',
        pieces: ['▁', '红色', '的', '狗'],
        attention: [
          [0.5, 0.5, 0],
          [0.9, 0.1, 0],
          [0.6, 0.4, 0],
          [0.1, 0.9, 0],
        ],
      }),
    );
    expect(links?.at(-1)).toEqual({ source: { start: 4, end: 7 }, target: { start: 3, end: 4 } });
    expect(links?.[0].source).toEqual({ start: 0, end: 3 });
  });

  test('without attention there are no links', () => {
    expect(translatedSentence(line('a', ['▁a', '</s>'], { text: 'b', pieces: ['▁b'] }))).toEqual({ text: 'b' });
    expect(translatedSentence(line('-', [], { text: '-', pieces: [], attention: [] }))).toEqual({ text: '-' });
  });
});
