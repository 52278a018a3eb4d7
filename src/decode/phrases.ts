// Phrases in an output: which of them are present, how much of them is written, and which tokens continue them. All is computed
// from the tokens, so hypotheses need no additional state.

type Tokens = readonly number[];

/** Whether `tokens` contains `phrase` as a contiguous sequence. */
export function contains(tokens: Tokens, phrase: Tokens): boolean {
  for (let start = 0; start + phrase.length <= tokens.length; start++)
    if (phrase.every((token, i) => tokens[start + i] === token)) return true;
  return false;
}

/** Indices of the phrases that `tokens` does not contain. */
export function missingPhrases(tokens: Tokens, phrases: readonly Tokens[]): number[] {
  return [...phrases.keys()].filter((i) => !contains(tokens, phrases[i]));
}

/** The length of the longest prefix of `phrase` at the end of `tokens`: 2 for `x a b` and the phrase `a b c`. */
function begunTokens(tokens: Tokens, phrase: Tokens): number {
  let begun = Math.min(phrase.length - 1, tokens.length);
  while (begun > 0 && !phrase.slice(0, begun).every((token, i) => tokens[tokens.length - begun + i] === token)) begun--;
  return begun;
}

/** Phrase tokens in `tokens`: all of each phrase that it contains, and the longest prefix of a missing one at its end. */
export function writtenPhraseTokens(tokens: Tokens, phrases: readonly Tokens[]): number {
  const missing = missingPhrases(tokens, phrases).map((i) => phrases[i]);
  const whole = phrases.filter((phrase) => !missing.includes(phrase));
  const begun = missing.map((phrase) => begunTokens(tokens, phrase));
  return whole.reduce((sum, phrase) => sum + phrase.length, 0) + Math.max(0, ...begun);
}

/** The tokens that begin a missing phrase or continue the one under way. */
export function nextPhraseTokens(tokens: Tokens, phrases: readonly Tokens[]): Set<number> {
  const missing = missingPhrases(tokens, phrases).map((i) => phrases[i]);
  return new Set(missing.map((phrase) => phrase[begunTokens(tokens, phrase)]));
}
