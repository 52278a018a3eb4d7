// Questions about phrases in an output: which of them stand in it, how far it has come, what would take it further.
// All are answered from the tokens alone, so that no state travels with a hypothesis.

type Tokens = readonly number[];

/** Whether `phrase` stands somewhere in `tokens`, in one piece. */
export function contains(tokens: Tokens, phrase: Tokens): boolean {
  for (let start = 0; start + phrase.length <= tokens.length; start++)
    if (phrase.every((token, i) => tokens[start + i] === token)) return true;
  return false;
}

/** Indices of the phrases that do not stand in `tokens`. */
export function missingPhrases(tokens: Tokens, phrases: readonly Tokens[]): number[] {
  return [...phrases.keys()].filter((i) => !contains(tokens, phrases[i]));
}

/** How many tokens at the end of `tokens` begin `phrase`: 2 for `x a b` and the phrase `a b c`. */
function begunTokens(tokens: Tokens, phrase: Tokens): number {
  let begun = Math.min(phrase.length - 1, tokens.length);
  while (begun > 0 && !phrase.slice(0, begun).every((token, i) => tokens[tokens.length - begun + i] === token)) begun--;
  return begun;
}

/** Phrase tokens that `tokens` has written: all of each phrase in it, and of the missing ones the longest beginning at its end. */
export function writtenPhraseTokens(tokens: Tokens, phrases: readonly Tokens[]): number {
  const missing = missingPhrases(tokens, phrases).map((i) => phrases[i]);
  const whole = phrases.filter((phrase) => !missing.includes(phrase));
  const begun = missing.map((phrase) => begunTokens(tokens, phrase));
  return whole.reduce((sum, phrase) => sum + phrase.length, 0) + Math.max(0, ...begun);
}

/** The tokens that take a missing phrase further: those that begin one, and that which continues the one under way. */
export function nextPhraseTokens(tokens: Tokens, phrases: readonly Tokens[]): Set<number> {
  const missing = missingPhrases(tokens, phrases).map((i) => phrases[i]);
  return new Set(missing.map((phrase) => phrase[begunTokens(tokens, phrase)]));
}
