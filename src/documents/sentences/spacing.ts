// White space between sentences when one script uses a space and the other none.

/**
 * The white space between two translated sentences.
 * - From a script with spaces to one without: `Hi. Bye.` → `你好。再见。`
 * - The other way: `你好。再见。` → `Hi. Bye.`
 * - Otherwise, and for more than one space, the white space of the source.
 *
 * @param between the white space of the source @param source the sentences before and after it @param target their translations
 */
export function separatorOf(
  between: string,
  source: readonly [string, string],
  target: readonly [string, string],
): string {
  if (isSetSolid(source) === isSetSolid(target)) return between;
  if (isSetSolid(target)) return between === ' ' ? '' : between;
  return between === '' ? ' ' : between;
}

/** Whether a space is needed between two parts of a sentence, which would otherwise read as one word. */
export function needsSpace(left: string, right: string): boolean {
  const [last, first] = [lastOf(left), firstOf(right)];
  return word.test(last) && word.test(first) && !(solid.test(last) || solid.test(first));
}

/** Whether no space separates the sentences, as in Chinese and Japanese. */
function isSetSolid([left, right]: readonly [string, string]): boolean {
  return solid.test(lastOf(left)) || solid.test(firstOf(right));
}

/** Ideographs, kana and their punctuation. Thai, Lao and Khmer use spaces between sentences, though not between words. */
const solid = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\uff01-\uff0f\uff1a-\uff1f\uff61]/u;
const word = /[\p{L}\p{N}\p{M}]/u;

function lastOf(text: string): string {
  return [...text.slice(-2)].at(-1) ?? '';
}

function firstOf(text: string): string {
  return [...text.slice(0, 2)][0] ?? '';
}
