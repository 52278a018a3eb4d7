// White space between two sentences, where one script puts a space and the other none.

/**
 * What stands between two translated sentences.
 * - From a script with spaces to one without: `Hi. Bye.` → `你好。再见。`
 * - The other way: `你好。再见。` → `Hi. Bye.`
 * - Otherwise, and wherever there is more than one space, what stood there.
 *
 * @param between the white space of the source @param source the sentences on both sides of it @param target their translations
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

/** Whether a space must stand between two stretches of a sentence, since they would read as one word. */
export function needsSpace(left: string, right: string): boolean {
  const [last, first] = [lastOf(left), firstOf(right)];
  return word.test(last) && word.test(first) && !(solid.test(last) || solid.test(first));
}

/** Chinese and Japanese sentences follow each other without a space. */
function isSetSolid([left, right]: readonly [string, string]): boolean {
  return solid.test(lastOf(left)) || solid.test(firstOf(right));
}

/** Ideographs, kana and their punctuation. Thai, Lao and Khmer, which have no spaces between words, have them between sentences. */
const solid = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\uff01-\uff0f\uff1a-\uff1f\uff61]/u;
const word = /[\p{L}\p{N}\p{M}]/u;

function lastOf(text: string): string {
  return [...text.slice(-2)].at(-1) ?? '';
}

function firstOf(text: string): string {
  return [...text.slice(0, 2)][0] ?? '';
}
