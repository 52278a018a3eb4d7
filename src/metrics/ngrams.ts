// Counts of n-grams, of words and of characters, and how many of them two texts share.

export type NgramCounts = Map<string, number>;

/** Word n-grams of one order; words must not contain a space. */
export function countWordNgrams(words: readonly string[], order: number): NgramCounts {
  const counts: NgramCounts = new Map();
  for (let start = 0; start + order <= words.length; start++) {
    let ngram = words[start];
    for (let offset = 1; offset < order; offset++) ngram += ` ${words[start + offset]}`;
    counts.set(ngram, (counts.get(ngram) ?? 0) + 1);
  }
  return counts;
}

/** Character n-grams of the orders 1 to `maxOrder`; a character is a code point, so that an emoji counts once. */
export function countCharacterNgrams(text: string, maxOrder: number): NgramCounts[] {
  const boundaries = [0];
  for (const character of text) boundaries.push(boundaries[boundaries.length - 1] + character.length);
  return Array.from({ length: maxOrder }, (_, index) => {
    const counts: NgramCounts = new Map();
    const order = index + 1;
    for (let start = 0; start + order < boundaries.length; start++) {
      const ngram = text.slice(boundaries[start], boundaries[start + order]);
      counts.set(ngram, (counts.get(ngram) ?? 0) + 1);
    }
    return counts;
  });
}

/** Matches: each n-gram of `a` counts at most as often as it stands in `b`. */
export function countMatches(a: NgramCounts, b: NgramCounts): number {
  let matches = 0;
  for (const [ngram, count] of a) matches += Math.min(count, b.get(ngram) ?? 0);
  return matches;
}

/** The number of n-grams, repeated ones repeatedly. */
export function countAll(counts: NgramCounts): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}
