// Python's string rules where they differ from JavaScript's: white space and the rounding of printed numbers.
// sacreBLEU counts words and prints scores by them, so that equality to it rests on this file.

// Python also counts the information separators U+001C–U+001F as white space; neither counts U+200B or U+FEFF
// (JavaScript's \s and trim() do count U+FEFF).
const WHITE_SPACE = `[\\p{White_Space}${String.fromCharCode(0x1c)}-${String.fromCharCode(0x1f)}]`;
const WHITE_SPACE_RUN = new RegExp(`${WHITE_SPACE}+`, 'gu');
const LEADING_WHITE_SPACE = new RegExp(`^${WHITE_SPACE}+`, 'u');
const ONE_WHITE_SPACE = new RegExp(WHITE_SPACE, 'u');

/** `str.split()`: the words between runs of white space; none for a blank text. */
export function splitOnWhiteSpace(text: string): string[] {
  return text.split(WHITE_SPACE_RUN).filter((word) => word !== '');
}

/** `str.rstrip()`. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ONE_WHITE_SPACE.test(text[end - 1])) end--;
  return text.slice(0, end);
}

/** `str.strip()`. */
export function trim(text: string): string {
  return trimEnd(text).replace(LEADING_WHITE_SPACE, '');
}

/**
 * `format(value, '.2f')`: rounds a tie to the even digit, where `toFixed` rounds it up. 6.25 with one decimal is 6.2,
 * not 6.3. A double lies halfway between two numbers of d decimals exactly if it is odd / 2^(d+1).
 */
export function formatFixed(value: number, decimals: number): string {
  const halves = value * 2 ** (decimals + 1);
  const isTie = Number.isInteger(halves) && halves % 2 !== 0;
  if (!isTie) return value.toFixed(decimals);
  const lower = Math.floor(value * 10 ** decimals);
  const even = lower % 2 === 0 ? lower : lower + 1;
  return (even / 10 ** decimals).toFixed(decimals);
}
