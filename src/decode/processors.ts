// Logits processors: rules that change one row's next-token log-probabilities before a token is selected, given the tokens written
// so far. A token set to −Infinity cannot be selected. The values are not normalised again, so that the sum of a hypothesis stays
// the model's log-probability.
import { missingPhrases } from './phrases.ts';
import type { SentenceTask } from './sentence.ts';

/** Changes `logProbabilities` (length: the vocabulary) in place, given the tokens of the row so far. */
export type Processor = (history: readonly number[], logProbabilities: Float32Array) => void;

/** No sequence of `n` tokens twice: with n 2, after `a b c a` the token `b` is out. */
export function noRepeatNgram(n: number): Processor {
  return (history, logProbabilities) => {
    const tail = history.length - (n - 1);
    for (let start = 0; start < tail; start++) {
      let same = 0;
      while (same < n - 1 && history[start + same] === history[tail + same]) same++;
      if (same === n - 1) logProbabilities[history[start + n - 1]] = -Infinity;
    }
  };
}

/**
 * Multiplies the log-probability of each token already written (Keskar et al. 2019, who divide positive logits;
 * log-probabilities are never positive). Once, however often the token was written.
 */
export function repetitionPenalty(penalty: number): Processor {
  return (history, logProbabilities) => {
    for (const token of new Set(history)) logProbabilities[token] *= penalty;
  };
}

/** Forbids the token that would complete one of the phrases. */
export function bannedPhrases(phrases: readonly (readonly number[])[]): Processor {
  return (history, logProbabilities) => {
    for (const phrase of phrases) {
      const start = history.length - (phrase.length - 1);
      const isBegun = start >= 0 && phrase.slice(0, -1).every((token, i) => history[start + i] === token);
      if (isBegun) logProbabilities[phrase[phrase.length - 1]] = -Infinity;
    }
  };
}

/** Forbids END before `minLength` tokens are written. */
export function minimumLength(minLength: number, endId: number): Processor {
  return (history, logProbabilities) => {
    if (history.length < minLength) logProbabilities[endId] = -Infinity;
  };
}

/** Forbids all but the prefix's own next token, until the prefix is written. */
export function forcedPrefix(prefix: readonly number[]): Processor {
  return (history, logProbabilities) => {
    if (history.length >= prefix.length) return;
    const next = prefix[history.length];
    const kept = logProbabilities[next];
    logProbabilities.fill(-Infinity);
    logProbabilities[next] = kept;
  };
}

/** Forbids END while one of the phrases is missing. */
export function requiredPhrases(phrases: readonly (readonly number[])[], endId: number): Processor {
  return (history, logProbabilities) => {
    if (missingPhrases(history, phrases).length > 0) logProbabilities[endId] = -Infinity;
  };
}

/** The processors that apply to a sentence's rows of `length` tokens. If there are none, the best few tokens suffice. */
export function processorsAt(task: SentenceTask, length: number): Processor[] {
  const { options, endId } = task;
  // The caller's prefix has priority over every other rule.
  if (length < task.prefix.length) return [forcedPrefix(task.prefix)];
  const active: Processor[] = [];
  if (length < options.minLength) active.push(minimumLength(options.minLength, endId));
  if (options.noRepeatNgram > 0 && length >= options.noRepeatNgram) active.push(noRepeatNgram(options.noRepeatNgram));
  if (options.repetitionPenalty !== 1 && length > 0) active.push(repetitionPenalty(options.repetitionPenalty));
  if (options.bannedPhrases.length > 0) active.push(bannedPhrases(options.bannedPhrases));
  if (task.forcedPhrases.length > 0) active.push(requiredPhrases(task.forcedPhrases, endId));
  return active;
}
