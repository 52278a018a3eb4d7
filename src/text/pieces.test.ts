import { describe, expect, it } from 'vitest';
import { bytePieces, checkControlTokens, Vocabulary } from './pieces.ts';

const standard = ['<pad>', '<s>', '</s>'];

describe('Vocabulary', () => {
  const vocabulary = new Vocabulary({
    controlTokens: [...standard, '>>de<<'],
    characters: ['a', 'b', 'c', '▁'],
    merges: [
      ['a', 'b'],
      ['b', 'c'],
      ['ab', 'c'],
      ['a', 'bc'],
      ['▁', 'abc'],
    ],
  });

  it('numbers control tokens, bytes, characters and merged pieces in this order', () => {
    expect(vocabulary.pieces.slice(0, 6)).toEqual(['<pad>', '<s>', '</s>', '>>de<<', '<0x00>', '<0x01>']);
    expect(vocabulary.pieces.slice(258)).toEqual(['<0xFE>', '<0xFF>', 'a', 'b', 'c', '▁', 'ab', 'bc', 'abc', '▁abc']);
    expect(vocabulary.size).toBe(268);
    expect(vocabulary.firstCharacterId).toBe(260);
    expect(vocabulary.pieces.every((piece, id) => vocabulary.idOf(piece) === id)).toBe(true);
    expect(vocabulary.idOf('<unk>')).toBeUndefined();
  });

  it('finds control tokens and bytes by their ids', () => {
    expect([-1, 0, 3, 4].map((id) => vocabulary.isControl(id))).toEqual([false, true, true, false]);
    expect([3, 4, 259, 260].map((id) => vocabulary.byteOf(id))).toEqual([undefined, 0, 255, undefined]);
    expect(bytePieces[0xe2]).toBe('<0xE2>');
  });
});

describe('checkControlTokens', () => {
  it('accepts the standard tokens and further ones', () => {
    expect(() => checkControlTokens('test', [...standard, '>>zh<<', '<mask>', 'EOS'])).not.toThrow();
  });

  it.each<[string[], string]>([
    [['<pad>', '</s>', '<s>'], 'control token 1 must be <s>, got </s>.'],
    [['<pad>', '<s>'], 'control token 2 must be </s>, got undefined.'],
    [[...standard, 'x'], 'two or more characters without space or ▁, got "x".'],
    [[...standard, '😀'], 'two or more characters'],
    [[...standard, 'a b'], 'two or more characters'],
    [[...standard, '▁de'], 'two or more characters'],
    [[...standard, 'x\uD800'], 'two or more characters'],
    [[...standard, '<de>', '<de>'], 'control token "<de>" is given twice; name it once.'],
    [[...standard, '<s>'], 'control token "<s>" is given twice'],
    [[...standard, '<0x0A>'], `control token "<0x0A>" is a byte's spelling; choose another name.`],
  ])('refuses %j', (tokens, message) => {
    expect(() => checkControlTokens('test', tokens)).toThrow(
      `test: ${message.startsWith('two') ? 'a control token is ' : ''}${message}`,
    );
  });
});
