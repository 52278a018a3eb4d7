// Tasks with known answers, generated from a seed: a correct model learns them to nearly 100 % within minutes, one with wrong
// attention, masks or shifts does not.

import { HeedError } from '../base/error.ts';
import { Random } from '../base/random.ts';
import type { TextPair } from './pairs.ts';

export interface ToyOptions {
  readonly count: number;
  /** The same seed gives the same pairs on every machine. */
  readonly seed: number;
  /** The words to draw from. Default the digits 0 to 9. */
  readonly words?: readonly string[];
  /** Words per sentence, drawn evenly from minLength to maxLength. Defaults 1 and 12. */
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** `3 1 4` → `4 1 3`. */
export function reverseTask(options: ToyOptions): TextPair[] {
  return sentences(options, 'reverse').map((words) => ({
    source: words.join(' '),
    target: words.toReversed().join(' '),
  }));
}

/** `3 1 4` → `3 1 4`. */
export function copyTask(options: ToyOptions): TextPair[] {
  return sentences(options, 'copy').map((words) => ({ source: words.join(' '), target: words.join(' ') }));
}

function sentences(options: ToyOptions, task: string): string[][] {
  const { count, seed, words = [...'0123456789'], minLength = 1, maxLength = 12 } = options;
  if (words.length === 0)
    throw new HeedError(`${task} task`, 'there must be at least one word to draw from, got none.');
  if (!(minLength >= 1 && maxLength >= minLength))
    throw new HeedError(
      `${task} task`,
      `lengths must be 1 ≤ minLength ≤ maxLength, got ${minLength} and ${maxLength}.`,
    );
  const random = Random.of(seed, task);
  return Array.from({ length: count }, () => {
    const length = minLength + random.integer(maxLength - minLength + 1);
    return Array.from({ length }, () => random.pick(words));
  });
}
