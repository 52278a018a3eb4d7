import { describe, expect, it } from 'vitest';
import { unitsOf } from './units.ts';

function textsOf(text: string, pieces: readonly string[]): string[] {
  return unitsOf(text, pieces).units.map(({ start, end }) => text.slice(start, end));
}

describe('units', () => {
  it('are words, whatever pieces they have', () => {
    expect(textsOf('The dog,  ran', ['▁The', '▁d', 'og', ',', '▁', '▁ran'])).toEqual(['The', 'dog,', 'ran']);
  });

  it('have the positions of their pieces', () => {
    const [, dog] = unitsOf('The dog, ran', ['▁The', '▁d', 'og', ',', '▁ran']).units;
    expect(dog.pieces).toEqual([
      { piece: 1, start: 4, end: 5 },
      { piece: 2, start: 5, end: 7 },
      { piece: 3, start: 7, end: 8 },
    ]);
  });

  it('are pieces in scripts without spaces', () => {
    expect(textsOf('我喜欢猫。', ['▁我', '喜欢', '猫', '。'])).toEqual(['我', '喜欢', '猫', '。']);
  });

  it('keep the bytes of a character together', () => {
    const pieces = ['▁我', '<0xE7>', '<0x8C>', '<0xAB>', '<0xF0>', '<0x9F>', '<0x90>', '<0x88>', '吗'];
    expect(textsOf('我猫🐈吗', pieces)).toEqual(['我', '猫', '🐈', '吗']);
  });

  it('stay within their words when a tokenizer changes characters', () => {
    expect(textsOf('İki ﬁx', ['▁i', '\u0307', 'ki', '▁fix'])).toEqual(['İki', 'ﬁx']);
  });

  it('are the whole text if words and pieces do not match', () => {
    expect(textsOf('a\u00a0b', ['▁a', '▁b'])).toEqual(['a\u00a0b']);
    expect(textsOf('', [])).toEqual([]);
  });
});
