// Noise for sources: changed case and typing errors, drawn from a seeded stream.

import type { Random } from '../base/random.ts';

/** With probability `rate`, the text in capitals, in small letters or Like A Title; else as it is. */
export function changeCase(text: string, rate: number, random: Random): string {
  if (random.uniform() >= rate) return text;
  switch (random.integer(3)) {
    case 0:
      return text.toUpperCase();
    case 1:
      return text.toLowerCase();
    default:
      return text.replace(/\p{L}+/gu, ([first, ...rest]) => first.toUpperCase() + rest.join('').toLowerCase());
  }
}

/**
 * At each letter, with probability `rate`, a typing error: the letter is left out, doubled, swapped with the next one if
 * that is a letter too, or replaced by another letter of the text. Digits, signs and spaces stay.
 */
export function misspell(text: string, rate: number, random: Random): string {
  if (rate === 0) return text;
  const characters = [...text];
  const letters = characters.filter(isLetter);
  let written = '';
  for (let i = 0; i < characters.length; i++) {
    const letter = characters[i];
    if (!isLetter(letter) || random.uniform() >= rate) {
      written += letter;
      continue;
    }
    const next = characters[i + 1];
    switch (random.integer(4)) {
      case 0:
        break;
      case 1:
        written += letter + letter;
        break;
      case 2:
        written += next !== undefined && isLetter(next) ? next + letter : letter;
        if (next !== undefined && isLetter(next)) i++;
        break;
      default:
        written += random.pick(letters);
    }
  }
  return written;
}

function isLetter(character: string): boolean {
  return /^\p{L}$/u.test(character);
}
